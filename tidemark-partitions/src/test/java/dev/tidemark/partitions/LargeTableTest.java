package dev.tidemark.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.routing.RoutingRows;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LargeTableTest {
  private static final int PARTITIONS = 50_000;
  private static final int AT_ONCE = 5_000;

  /** The whole table is longer than a message may be by default, which is 4 MiB. */
  @Test
  void aClientAndAnOperatorGetATableOfFiftyThousandPartitions() {
    Subspace place = Subspace.of("cluster");
    try (Cluster cluster = new Cluster()) {
      RoutingRows routes = new RoutingRows(new PartitionKeys(place));
      try (Control control = Control.in(cluster.database, place)) {
        for (int from = 0; from < PARTITIONS; from += AT_ONCE) {
          int first = from;
          control
              .rows()
              .transact(
                  rows -> {
                    for (int i = first; i < first + AT_ONCE; i++) {
                      routes.route(rows, "partition-of-counters-" + i, owner(i));
                    }
                    if (first + AT_ONCE == PARTITIONS) {
                      routes.bumpVersion(rows);
                    }
                    return first;
                  });
        }
      }
      cluster.manager("m1");

      assertThat(cluster.client().routing().size()).isEqualTo(PARTITIONS);
      assertThat(cluster.tool().routing().size()).isEqualTo(PARTITIONS);
    }
  }

  private static OwnershipRow owner(int i) {
    Optional<Key> end = i + 1 == PARTITIONS ? Optional.empty() : Optional.of(Key.utf8(name(i + 1)));
    return new OwnershipRow(
        1,
        "a-node-far-away",
        1,
        Phase.SERVING,
        "counter",
        new PartitionRange(i == 0 ? Key.EMPTY : Key.utf8(name(i)), end),
        Optional.empty());
  }

  private static String name(int i) {
    return "customer/%08d/orders".formatted(i);
  }
}
