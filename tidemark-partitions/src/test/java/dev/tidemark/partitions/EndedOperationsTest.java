package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Operations are kept for a day after their end, and not for ever. */
class EndedOperationsTest {
  private static final PartitionKeys KEYS = new PartitionKeys(Subspace.of("cluster"));

  @Test
  void leaderForgetsOperationsThatEndedLongAgo() {
    try (Cluster cluster = new Cluster()) {
      long now = cluster.database.time().wallMicros();
      cluster.database.run(
          tx -> {
            tx.set(KEYS.control(ControlKeys.operation("old")), ended(0).encode());
            tx.set(KEYS.control(ControlKeys.operation("new")), ended(now).encode());
          });
      cluster.manager("m1");

      eventually("the old one is forgotten", () -> !isKept(cluster, "old"));
      assertThat(isKept(cluster, "new")).isTrue();
    }
  }

  private static boolean isKept(Cluster cluster, String operation) {
    return cluster.database.read(
        tx -> tx.get(KEYS.control(ControlKeys.operation(operation))).isPresent());
  }

  private static OperationRow ended(long at) {
    return new OperationRow(
        OperationRow.Kind.MIGRATE,
        OperationRow.Status.DONE,
        "end",
        Optional.of("counter"),
        Optional.of("p1"),
        Optional.empty(),
        Optional.of("n1"),
        Optional.empty(),
        1,
        at,
        at,
        at,
        Optional.empty());
  }
}
