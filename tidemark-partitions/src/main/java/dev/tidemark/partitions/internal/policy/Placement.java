package dev.tidemark.partitions.internal.policy;

import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.util.Comparator;
import java.util.Optional;

/**
 * Where a partition goes that has to leave its node: to the least loaded one, and among those that
 * are equally loaded to the one with the fewest partitions. While several generations are active,
 * only the newest counts, so that a rolling restart moves a partition once.
 */
public final class Placement {
  private Placement() {}

  /** The best node for {@code partition} other than {@code not}; empty if there is none. */
  public static Optional<String> choose(ClusterLoad cluster, String not) {
    Comparator<NodeLoad> newest = Comparator.comparing(NodeLoad::generation).reversed();
    return cluster.nodes().stream()
        .filter(node -> node.placeable() && !node.node().equals(not))
        .min(
            newest
                .thenComparingDouble(node -> load(cluster, node.node()))
                .thenComparingLong(node -> count(cluster, node.node()))
                .thenComparing(NodeLoad::node))
        .map(NodeLoad::node);
  }

  private static double load(ClusterLoad cluster, String node) {
    return cluster.partitions().stream()
        .filter(partition -> partition.route().node().equals(node))
        .mapToDouble(PartitionLoad::rps)
        .sum();
  }

  private static long count(ClusterLoad cluster, String node) {
    return cluster.partitions().stream()
        .filter(partition -> partition.route().node().equals(node))
        .count();
  }
}
