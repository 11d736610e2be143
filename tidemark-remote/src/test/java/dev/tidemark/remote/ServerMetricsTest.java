package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {
  @Test
  void metersShowWhatTheStatisticsSay() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (EmbeddedDatabase served = EmbeddedDatabase.inMemory();
        DatabaseServer server = DatabaseServer.open(served)) {
      new ServerMetrics(server).bindTo(registry);
      try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
        client.run(tx -> tx.set(Key.utf8("a"), new byte[100]));
        assertThat(registry.get("tidemark.server.commits").functionCounter().count()).isEqualTo(1);
        assertThat(registry.get("tidemark.server.clients").gauge().value()).isEqualTo(1);
        assertThat(registry.get("tidemark.server.connections").gauge().value()).isEqualTo(1);
        assertThat(registry.get("tidemark.server.bytes.received").functionCounter().count())
            .isGreaterThan(100);
      }
    }
    assertThat(registry.get("tidemark.server.commits").functionCounter().count())
        .as("after the end")
        .isEqualTo(1);
    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .allSatisfy(id -> assertThat(id.getName()).startsWith("tidemark.server."))
        .hasSize(ServerStatistics.class.getRecordComponents().length + 1);
  }
}
