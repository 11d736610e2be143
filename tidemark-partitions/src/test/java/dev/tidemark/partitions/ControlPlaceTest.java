package dev.tidemark.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.control.Control;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster and its control rows belong together for ever: two sets would be two leaders. */
class ControlPlaceTest {
  private static final Subspace CLUSTER = Subspace.of("cluster");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final EmbeddedDatabase elsewhere = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
    elsewhere.close();
  }

  private RowStore rows(String name) {
    return RowStore.in(elsewhere, Subspace.of(name));
  }

  @Test
  void sameRowsAreTakenAgain() {
    Control.at(database, CLUSTER, rows("one")).close();
    try (Control again = Control.at(database, CLUSTER, rows("one"))) {
      assertThat(again.isJoined()).isFalse();
    }
  }

  @Test
  void otherRowsAreRefused() {
    Control.at(database, CLUSTER, rows("one")).close();
    Control.at(database, Subspace.of("other"), rows("two")).close();

    assertRefused(() -> Control.at(database, CLUSTER, rows("two")));
    assertRefused(() -> Control.at(database, CLUSTER, rows("empty")));
    assertRefused(() -> Control.in(database, CLUSTER));
  }

  @Test
  void rowsOfAnotherClusterAreRefused() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      assertThat(ClusterTest.add(cluster.client(), "x")).isEqualTo(1);

      assertRefused(() -> Control.at(cluster.database, CLUSTER, rows("late")));
    }
  }

  private static void assertRefused(Runnable opening) {
    assertThatThrownBy(opening::run)
        .isInstanceOfSatisfying(
            PartitionException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.REFUSED));
  }
}
