package dev.tidemark.partitions.internal.policy;

import dev.tidemark.partitions.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a policy looks at: the nodes that may hold partitions, and all partitions with what is known
 * of their load. Partitions that are not in memory are here too.
 *
 * @param nodes every node that owns partitions or may own some
 * @param partitions every partition, sorted by type and key
 */
public record ClusterLoad(List<NodeLoad> nodes, List<PartitionLoad> partitions) {
  /** Copies the lists. */
  public ClusterLoad {
    nodes = List.copyOf(nodes);
    partitions = List.copyOf(partitions);
  }

  /**
   * A node.
   *
   * @param node its id
   * @param placeable whether it may be given partitions
   * @param reporting whether its statistics are known
   * @param generation the label of what it runs
   */
  public record NodeLoad(String node, boolean placeable, boolean reporting, String generation) {}

  /**
   * A partition.
   *
   * @param route where it is
   * @param load what it did; empty where its node does not report
   * @param inOperation whether an operation is at work on it
   */
  public record PartitionLoad(Route route, Optional<Load> load, boolean inOperation) {
    /** Its id. */
    public String id() {
      return route.partition();
    }

    /** Requests a second, zero where they are not known. */
    public double rps() {
      return load.map(Load::rps).orElse(0.0);
    }

    /** Bytes, zero where they are not known. */
    public long bytes() {
      return load.map(Load::bytes).orElse(0L);
    }
  }

  /**
   * What a partition did.
   *
   * @param rps requests a second
   * @param keys how many keys it holds, if it counts them
   * @param bytes how large it is
   */
  public record Load(double rps, OptionalLong keys, long bytes) {}

  /** The partitions of each placeable node. */
  public Map<String, List<PartitionLoad>> byPlaceableNode() {
    Map<String, List<PartitionLoad>> byNode = new TreeMap<>();
    for (NodeLoad node : nodes) {
      if (node.placeable()) {
        byNode.put(node.node(), new ArrayList<>());
      }
    }
    for (PartitionLoad partition : partitions) {
      List<PartitionLoad> there = byNode.get(partition.route().node());
      if (there != null) {
        there.add(partition);
      }
    }
    return byNode;
  }
}
