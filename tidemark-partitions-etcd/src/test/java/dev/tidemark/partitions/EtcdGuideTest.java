package dev.tidemark.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.etcd.EtcdForTests;
import dev.tidemark.partitions.etcd.EtcdOptions;
import dev.tidemark.partitions.etcd.EtcdRows;
import dev.tidemark.testkit.Guide;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/partitions-etcd.md shows runs, and is what runs. */
class EtcdGuideTest {
  @Test
  void pageShowsTheCodeThatRuns() {
    Guide.read("docs/partitions-etcd.md")
        .part("## How to configure it")
        .showsCodeOf(1, "tidemark-partitions-etcd/src/test/java/dev/tidemark/partitions");
  }

  @Test
  void clusterWithEtcdAnswers() {
    Subspace cluster = Subspace.of("shop");
    try (EtcdForTests running = EtcdForTests.start();
        Database database = EmbeddedDatabase.inMemory()) {
      EtcdOptions options = running.place();
      try (RowStore etcd = EtcdRows.connect(options);
          PartitionManager manager =
              PartitionManager.open(
                  database,
                  PartitionManagerOptions.forTypes("counter").withCluster(cluster),
                  etcd);
          PartitionServer server =
              PartitionServer.open(
                  database,
                  cluster,
                  List.of(CounterActor.TYPE),
                  PartitionServerOptions.node("n1").withDrainTimeout(Duration.ZERO),
                  etcd);
          PartitionClient client =
              PartitionClient.connect(
                  PartitionClientOptions.managers(manager.address().toString()))) {
        assertThat(client.send(CounterActor.TYPE, Key.utf8("x"), "add x")).isEqualTo("1");
        assertThat(server.incarnation()).isEqualTo(1);
      }
    }
  }
}
