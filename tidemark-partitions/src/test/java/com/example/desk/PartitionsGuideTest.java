package com.example.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.records.RecordStore;
import dev.tidemark.testkit.Guide;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/partitions.md shows of actors and servers runs, and is what runs. */
class PartitionsGuideTest {
  private static final String SOURCES = "tidemark-partitions/src/test/java/com/example/desk";

  @Test
  void pageShowsTheCodeThatRuns() {
    Guide guide = Guide.read("docs/partitions.md");
    guide.part("## An actor").showsCodeOf(3, SOURCES);
    guide.part("## A server").showsCodeOf(1, SOURCES);
    guide.part("## One commit across the layers").showsCodeOf(1, SOURCES);
  }

  @Test
  void orderIsSoldThroughManagerServerAndClient() {
    try (Database database = EmbeddedDatabase.inMemory();
        Pulse pulse = Pulse.on(database);
        PoolClient shipping = pulse.poolClient("shipping")) {
      RecordStore<Order> orders = OrderStore.open(database);
      EventStream events = pulse.stream("orders");
      ActorType<String, String> desk = OrderDesk.type(orders, events, shipping);
      Subspace cluster = Subspace.of("shop");
      try (PartitionManager manager =
              PartitionManager.open(
                  database, PartitionManagerOptions.forTypes("desk").withCluster(cluster));
          PartitionServer server =
              PartitionServer.open(
                  database,
                  cluster,
                  List.of(desk),
                  PartitionServerOptions.node("n1").withDrainTimeout(Duration.ZERO));
          PartitionClient client =
              PartitionClient.connect(
                  PartitionClientOptions.managers(manager.address().toString()))) {
        client.send(desk, Key.utf8("pen"), "stock pen 10");
        String left = client.send(desk, Key.utf8("pen"), "order pen 3 o1");
        assertThat(left).isEqualTo("7");
        assertThat(shipping.jobKeys()).containsExactly("o1"); // and the record, and the event
        assertThat(server.node()).isEqualTo("n1");
      }
    }
  }
}
