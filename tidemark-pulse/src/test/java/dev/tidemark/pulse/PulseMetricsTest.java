package dev.tidemark.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolStatistics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PulseMetricsTest {
  private static final byte[] NOTHING = new byte[0];

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private long counter(String name, String tag) {
    return (long) registry.get("tidemark.pulse." + name).tag(tag, "mine").functionCounter().count();
  }

  private long gauge(String name, String tag) {
    return (long) registry.get("tidemark.pulse." + name).tag(tag, "mine").gauge().value();
  }

  private void assertOneMeterForEach(Class<? extends Record> statistics, String prefix) {
    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .allSatisfy(id -> assertThat(id.getName()).startsWith("tidemark.pulse." + prefix))
        .hasSize(statistics.getRecordComponents().length);
  }

  @Test
  void metersOfASinkShowItsStatistics() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Pulse pulse = Pulse.on(database)) {
      EventStream orders = pulse.stream("orders");
      try (Sink sink = orders.sink("mailer", o -> o.withStart(Start.oldest()))) {
        PulseMetrics.of(sink, "mine").bindTo(registry);
        orders.add("a", NOTHING);
        orders.add("b", NOTHING);
        sink.ackAll(sink.read());
        SinkStatistics expected = sink.statistics();

        assertThat(expected.acknowledged()).isPositive();
        assertThat(counter("sink.delivered", "sink")).isEqualTo(expected.delivered());
        assertThat(counter("sink.acknowledged", "sink")).isEqualTo(expected.acknowledged());
        assertThat(counter("sink.handler.failures", "sink")).isZero();
        assertThat(gauge("sink.running", "sink")).isZero();
      }
    }
    assertOneMeterForEach(SinkStatistics.class, "sink.");
  }

  @Test
  void metersOfANodeShowItsStatistics() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Pulse pulse = Pulse.on(database);
        PoolNode node = pulse.pool("mail")) {
      PulseMetrics.of(node, "mine").bindTo(registry);
      node.addRunner(job -> {});
      node.dispatch("a", NOTHING);

      assertThat(counter("pool.dispatched", "pool")).isEqualTo(1);
      assertThat(counter("pool.started", "pool")).isEqualTo(1);
      assertThat(counter("pool.leases.lost", "pool")).isZero();
      assertThat(gauge("pool.workers", "pool")).isEqualTo(1);
    }
    assertOneMeterForEach(PoolStatistics.class, "pool.");
  }

  @Test
  void metersOfAMapShowItsStatistics() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        Pulse pulse = Pulse.on(database);
        ReplicatedMap<String, String> map = pulse.map("config")) {
      PulseMetrics.of(map, "mine").bindTo(registry);
      map.setAndWait("a", "1", Duration.ofSeconds(30));

      assertThat(gauge("map.entries", "map")).isEqualTo(1);
      assertThat(counter("map.changes", "map")).isEqualTo(1);
      assertThat(counter("map.loads", "map")).isPositive();
    }
    assertOneMeterForEach(MapStatistics.class, "map.");
  }
}
