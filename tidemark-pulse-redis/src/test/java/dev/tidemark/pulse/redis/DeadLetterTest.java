package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events that are put aside, and acknowledged at the same moment. */
class DeadLetterTest extends PulseConformance {
  private static final String LOOK =
      "return {redis.call('XLEN', KEYS[1]), redis.call('XPENDING', KEYS[2], 'billing')[1]}";

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  private static SinkOptions once(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withBlock(Duration.ofMillis(50))
        .withAckGrace(Duration.ofMillis(100))
        .withDeliveriesMax(1);
  }

  /** How many dead letters there are and how many events are not acknowledged, at one moment. */
  private static String lettersAndPending() {
    return SERVER
        .server()
        .command("EVAL", LOOK, "2", "pulse:stream:orders:dead", "pulse:stream:orders");
  }

  @Test
  void eventIsNeverBothPendingAndADeadLetter() throws InterruptedException {
    EventStream orders = pulse().stream("orders");
    try (Sink sink = orders.sink("billing", DeadLetterTest::once)) {
      for (int i = 1; i <= 5; i++) {
        orders.add("e", bytes("never acknowledged"));
        Thread reader = Thread.startVirtualThread(() -> readUntilDead(sink));
        assertThat(firstLookWith(i)).isEqualTo("[:%d, :0]".formatted(i));
        reader.join();
      }
    }
  }

  private static String firstLookWith(int letters) {
    AtomicReference<String> seen = new AtomicReference<>("");
    eventually(
        "it is put aside",
        () -> {
          seen.set(lettersAndPending());
          return seen.get().startsWith("[:" + letters);
        });
    return seen.get();
  }

  private static void readUntilDead(Sink sink) {
    eventually(
        "nothing is pending",
        () -> {
          sink.read();
          return lettersAndPending().endsWith(":0]");
        });
  }

  @Test
  void eventsBesideOneThatCannotBeBuriedComeAgainAsIfNotDelivered() {
    EventStream orders = pulse().stream("orders");
    EventId dead = orders.add("e", bytes("dead"));
    EventId alive = orders.add("e", bytes("alive"));
    try (Sink sink = orders.sink("billing", o -> once(o).withDeliveriesMax(3))) {
      read(sink);
      hadByAnother(dead, 3);
      hadByAnother(alive, 1);
      SERVER.server().command("SET", "pulse:stream:orders:dead", "no stream");
      eventually("it cannot be buried", () -> failsToRead(sink));
      SERVER.server().command("DEL", "pulse:stream:orders:dead");

      Event again = read(sink).getFirst();

      assertThat(again.id()).isEqualTo(alive);
      assertThat(again.deliveries()).isEqualTo(2);
    }
  }

  private static List<Event> read(Sink sink) {
    List<Event> events = new ArrayList<>();
    eventually("events come", () -> events.addAll(sink.read()));
    return events;
  }

  private static void hadByAnother(EventId id, int deliveries) {
    SERVER
        .server()
        .command(
            "XCLAIM pulse:stream:orders billing other 0 %s IDLE 60000 RETRYCOUNT %d JUSTID"
                .formatted(id, deliveries)
                .split(" ", -1));
  }

  private static boolean failsToRead(Sink sink) {
    try {
      sink.read();
      return false;
    } catch (PulseException failure) {
      return true;
    }
  }

  @Test
  void letterThatIsThereAlreadyIsNotAddedAgain() {
    EventStream orders = pulse().stream("orders");
    EventStream letters = pulse().stream("orders:dead");
    EventId id = orders.add("e", bytes("never acknowledged"));
    letters.addOnce("orders billing " + id, "e", "", bytes("of fewer deliveries"));
    try (Sink sink = orders.sink("billing", DeadLetterTest::once)) {
      sink.read();
      readUntilDead(sink);
    }
    assertThat(letters.length()).isOne();
  }
}
