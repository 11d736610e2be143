package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RecordingHandler;
import dev.tidemark.pulse.testkit.RedisSentinels;
import dev.tidemark.pulse.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams, maps and pools while another server becomes the primary. */
class SentinelFailoverTest extends PulseConformance {
  @RegisterExtension static final OneSentinels SENTINELS = new OneSentinels();

  @Override
  protected Pulse open() {
    return RedisOptions.at(SENTINELS.sentinels().uri())
        .withCommandTimeout(Duration.ofSeconds(1))
        .withOutageMax(PATIENCE)
        .connect();
  }

  @Test
  void everythingGoesOnWhenThePrimaryDies() {
    goesOnAfter(() -> SENTINELS.sentinels().primary().kill());
  }

  @Test
  void everythingGoesOnWhenThePrimaryBecomesTheReplica() {
    goesOnAfter(() -> SENTINELS.sentinels().failOver());
  }

  private void goesOnAfter(Runnable failover) {
    RedisSentinels sentinels = SENTINELS.sentinels();
    RedisServer old = sentinels.primary();
    EventStream stream = pulse().stream("s");
    RecordingHandler handler = new RecordingHandler();
    try (Sink sink = stream.sink("billing", o -> o.withStart(Start.oldest()));
        ReplicatedMap<String, String> map = pulse().map("m");
        PoolNode node = pulse().pool("p")) {
      node.addWorker(handler);
      node.dispatch("before", bytes(""));
      map.setAndWait("before", "1", PATIENCE);
      stream.add("e", bytes("acknowledged"));
      sink.ackAll(sink.read());
      stream.add("e", bytes("before"));
      eventually("the replica has everything", sentinels::isReplicated);

      failover.run();
      stream.add("e", bytes("meanwhile"));
      sentinels.awaitPrimaryAfter(old);

      stream.add("e", bytes("after"));
      assertThat(readAll(sink, 3)).containsExactlyInAnyOrder("before", "meanwhile", "after");
      map.setAndWait("after", "2", PATIENCE);
      assertThat(map.snapshot()).isEqualTo(Map.of("before", "1", "after", "2"));
      node.dispatch("after", bytes(""));
      assertThat(handler.running()).containsExactlyInAnyOrder("before", "after");
      assertThat(handler.starts()).hasSize(2);
    }
  }

  private static Set<String> readAll(Sink sink, int count) {
    Set<String> payloads = new TreeSet<>();
    eventually(
        () -> "%d events; there are %s".formatted(count, payloads),
        () -> {
          List<Event> events = sink.read();
          events.forEach(event -> payloads.add(text(event.payload())));
          sink.ackAll(events);
          return payloads.size() >= count;
        });
    return payloads;
  }
}
