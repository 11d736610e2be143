package dev.tidemark.foundationdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.testkit.Guide;
import dev.tidemark.testkit.cluster.GivenCluster;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The example of docs/foundationdb.md about a cluster, on one if it is given. */
class ClusterGuideTest {
  private static void greet(Path clusterFile) {
    try (Database db = FoundationDb.open(clusterFile)) { // such as /etc/foundationdb/fdb.cluster
      db.run(tx -> tx.set(Key.utf8("greeting"), "hello".getBytes(UTF_8)));
    }
  }

  @Test
  @EnabledIf("dev.tidemark.testkit.cluster.GivenCluster#isGiven")
  void greetingIsOnTheCluster() {
    GivenCluster.emptied(FoundationDb::open).close();
    Path clusterFile = Path.of(Objects.requireNonNull(System.getenv("FDB_CLUSTER_FILE")));
    greet(clusterFile);
    try (Database db = FoundationDb.open(clusterFile)) {
      Optional<byte[]> greeting = db.read(tx -> tx.get(Key.utf8("greeting")));
      assertThat(greeting)
          .hasValueSatisfying(text -> assertThat(text).asString().isEqualTo("hello"));
    }
  }

  @Test
  void guideShowsThisCode() {
    Guide.read("docs/foundationdb.md")
        .part("## On a cluster")
        .showsCodeOf(
            1,
            "tidemark-foundationdb/src/test/java/dev/tidemark/foundationdb/ClusterGuideTest.java");
  }
}
