package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the server keeps of events that were taken over. */
class RedisReclaimTest extends PulseConformance {
  /** The bytes of all memories of operations on the stream. */
  private static final String REMEMBERED =
      "local all = 0 for _, key in ipairs(redis.call('KEYS', '*op:*')) do "
          + "if redis.call('TYPE', key).ok == 'string' then "
          + "all = all + redis.call('STRLEN', key) end end return all";

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  @Test
  void serverRemembersWhichEventsWereTakenOverAndNotWhatTheyCarry() {
    byte[] payload = new byte[20_000];
    EventStream orders = pulse().stream("orders");
    for (int i = 0; i < 20; i++) {
      orders.add("e", payload);
    }
    List<Event> again = new ArrayList<>();
    try (Sink sink =
        orders.sink(
            "billing",
            o ->
                o.withStart(Start.oldest())
                    .withBlock(Duration.ofMillis(50))
                    .withAckGrace(Duration.ofMillis(300)))) {
      eventually(
          "they are taken over",
          () -> {
            sink.read().stream().filter(event -> event.deliveries() > 1).forEach(again::add);
            return again.size() >= 20;
          });
    }
    assertThat(again).allSatisfy(event -> assertThat(event.payload()).isEqualTo(payload));

    String remembered = SERVER.server().command("EVAL", REMEMBERED, "0");
    assertThat(Long.parseLong(remembered.replace(":", ""))).isBetween(1L, 10_000L);
  }
}
