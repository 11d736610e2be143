package dev.tidemark.partitions.internal.policy;

import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses nodes for partitions that have to leave theirs: the least loaded one, and among equally
 * loaded nodes the one with the fewest partitions. Each choice counts for the next, so that the
 * partitions of a node that died are spread over all others. A partition without statistics counts
 * as an average one; all partitions of a dead node are without. While several generations are
 * active, only the newest counts, so that a rolling restart moves a partition once.
 *
 * <p>Used by one thread at a time.
 */
public final class Placement {
  private static final Comparator<Room> BEST_FIRST =
      Comparator.comparing(Room::generation, Comparator.reverseOrder())
          .thenComparingDouble(Room::load)
          .thenComparingInt(Room::partitions)
          .thenComparing(Room::node);

  private final TreeSet<Room> rooms = new TreeSet<>(BEST_FIRST);
  private final Map<String, Room> byNode = new HashMap<>();
  private final Map<String, Placed> placed = new HashMap<>();
  private final double average;

  /** A node that may be given partitions. */
  private record Room(String node, String generation, double load, int partitions) {
    Room with(double more, int difference) {
      return new Room(node, generation, load + more, partitions + difference);
    }
  }

  /** A partition, and what it adds to the load of its node. */
  private record Placed(String node, double load) {}

  private Placement(double average) {
    this.average = average;
  }

  /** Places partitions in the cluster as it is now. */
  public static Placement in(ClusterLoad cluster) {
    double average =
        cluster.partitions().stream()
            .flatMap(partition -> partition.load().stream())
            .mapToDouble(ClusterLoad.Load::rps)
            .average()
            .orElse(0);
    Placement placement = new Placement(average);
    for (NodeLoad node : cluster.nodes()) {
      if (node.placeable()) {
        placement.put(new Room(node.node(), node.generation(), 0, 0));
      }
    }
    for (PartitionLoad partition : cluster.partitions()) {
      double load = partition.load().map(ClusterLoad.Load::rps).orElse(average);
      placement.add(partition.id(), new Placed(partition.route().node(), load));
    }
    return placement;
  }

  /** The best node for {@code partition} but for those in {@code not}; empty if there is none. */
  public Optional<String> choose(String partition, Set<String> not) {
    Optional<String> best =
        rooms.stream().map(Room::node).filter(node -> !not.contains(node)).findFirst();
    best.ifPresent(node -> move(partition, node));
    return best;
  }

  /** Counts {@code partition} as one of {@code node} from now on. */
  public void move(String partition, String node) {
    Placed before = placed.remove(partition);
    if (before != null) {
      change(before.node(), -before.load(), -1);
    }
    add(partition, new Placed(node, before == null ? average : before.load()));
  }

  private void add(String partition, Placed where) {
    placed.put(partition, where);
    change(where.node(), where.load(), 1);
  }

  private void change(String node, double load, int partitions) {
    Room room = byNode.get(node);
    if (room != null) {
      rooms.remove(room);
      put(room.with(load, partitions));
    }
  }

  private void put(Room room) {
    rooms.add(room);
    byNode.put(room.node(), room);
  }
}
