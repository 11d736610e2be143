package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.testkit.PulseConformance;
import io.lettuce.core.RedisCommandExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What callers get to know when the server itself says no. */
abstract class Refusals extends PulseConformance {
  private static final String USER = "limited";
  private static final String PASSWORD = "secret";

  abstract OneServer server();

  @Override
  protected Pulse open() {
    return RedisPulse.connect(server().uri());
  }

  private void command(String words) {
    server().server().command(words.split(" ", -1));
  }

  private void refused(String answer, String remedy, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(PulseException.class)
        .hasMessageContaining(server().uri().replace("redis://", ""))
        .hasMessageContaining("refuses")
        .hasMessageContaining(answer)
        .hasMessageContaining(remedy)
        .hasCauseInstanceOf(RedisCommandExecutionException.class);
  }

  @Test
  void serverWithoutMemoryIsNamedAndWhatToDo() {
    EventStream orders = pulse().stream("orders");
    command("CONFIG SET maxmemory-policy noeviction");
    command("CONFIG SET maxmemory 1");
    try {
      refused("OOM", "withLengthMax", () -> orders.add("e", bytes("1")));
      refused("OOM", "withLengthMax", () -> orders.addOnce("key", "e", "", bytes("1")));
    } finally {
      command("CONFIG SET maxmemory 0");
    }

    orders.add("e", bytes("2"));
  }

  @Test
  void keyThatIsSomethingElseIsRefusedByEveryCall() {
    command("SET pulse:stream:orders text");
    EventStream orders = pulse().stream("orders");
    refused("WRONGTYPE", "another name", () -> orders.add("e", bytes("1")));
    refused("WRONGTYPE", "another name", orders::length);
    refused("WRONGTYPE", "another name", () -> orders.sink("billing"));
    try (Reader reader = orders.reader(o -> o.withStart(Start.oldest()))) {
      refused("WRONGTYPE", "another name", reader::read);
    }
  }

  @Test
  void mapWhoseKeyIsSomethingElseIsRefused() {
    command("SET map:flags:content text");

    refused("WRONGTYPE", "another name", () -> pulse().map("flags"));
  }

  @Test
  void userWithoutTheRightIsRefused() {
    command("ACL SETUSER %s reset on >%s ~* &* +@all -xadd -xlen".formatted(USER, PASSWORD));
    try (Pulse limited =
        RedisOptions.at(server().uri()).withCredentials(USER, PASSWORD).connect()) {
      EventStream orders = limited.stream("orders");
      refused("permission", "ACL SETUSER", orders::length);
      refused("user executing", "ACL SETUSER", () -> orders.add("e", bytes("1")));
    } finally {
      command("ACL DELUSER " + USER);
    }
  }
}
