package dev.tidemark.partitions.internal.simulation;

import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.Load;
import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import dev.tidemark.partitions.internal.policy.Placement;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.Set;

/**
 * Some nodes die at the same moment. The manager finds out when their leases are over, and moves
 * their partitions as the reconciler and the operations do: each start and each step is a commit, a
 * limited number runs side by side, tables between two pushes are left out. A partition is served
 * again when its new owner has loaded it and clients know the route.
 */
final class NodeLoss {
  private final Latencies latencies;
  private final VirtualTime time = new VirtualTime();
  private final SimulatedTable table;
  private final int nodes;
  private final Random random;
  private final Placement placement;
  private final Map<Integer, Double> loadedAt = new HashMap<>();
  private final Map<Integer, Long> flippedIn = new HashMap<>();
  private final Queue<Integer> waiting = new ArrayDeque<>();
  private final List<Push> pushes = new ArrayList<>();
  private final List<Integer> noticed = new ArrayList<>();
  private RoutingTable pushed;
  private boolean pushing;
  private boolean again;
  private int running;
  private double lastLease;

  /** A table that was pushed, and how long the message to each watcher was. */
  record Push(double at, long version, int bytes) {}

  /**
   * What came of it.
   *
   * @param servedAt when each partition of a dead node was served again, sorted
   * @param pushes the tables that watchers got
   * @param given how many partitions each living node was given
   */
  record Result(List<Double> servedAt, List<Push> pushes, IntSummaryStatistics given) {
    double lastServed() {
      return servedAt.getLast();
    }

    /** Bytes that each watcher got, in all pushes. */
    long bytes() {
      return pushes.stream().mapToLong(Push::bytes).sum();
    }
  }

  private NodeLoss(Latencies latencies, int nodes, int partitions, int dead, long seed) {
    this.latencies = latencies;
    this.nodes = nodes;
    this.random = new Random(seed);
    this.table = new SimulatedTable(nodes, partitions);
    this.pushed = table.table();
    this.placement = Placement.in(load(dead));
  }

  /** The first {@code dead} of {@code nodes} nodes die. */
  static Result of(Latencies latencies, int nodes, int partitions, int dead, long seed) {
    NodeLoss loss = new NodeLoss(latencies, nodes, partitions, dead, seed);
    loss.play(dead);
    return loss.result(dead);
  }

  /** Loads of the living differ by a fifth; nothing is known of those who died. */
  private ClusterLoad load(int dead) {
    List<NodeLoad> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      all.add(new NodeLoad(SimulatedTable.node(i), i >= dead, i >= dead, ""));
    }
    List<PartitionLoad> partitions = new ArrayList<>();
    for (int i = 0; i < table.routes().size(); i++) {
      Optional<Load> known =
          i % nodes < dead
              ? Optional.empty()
              : Optional.of(new Load(9 + 2 * random.nextDouble(), OptionalLong.of(1_000), 1 << 20));
      partitions.add(new PartitionLoad(table.routes().get(i), known, false));
    }
    return new ClusterLoad(all, partitions);
  }

  private void play(int dead) {
    for (int node = 0; node < dead; node++) {
      int number = node;
      double left = latencies.lease() * (2 + random.nextDouble()) / 3;
      lastLease = Math.max(lastLease, left);
      time.after(left, () -> noticed.add(number));
    }
    time.after(random.nextDouble() * latencies.look(), this::look);
    time.run();
  }

  /** One look of the reconciler: it expires leases, reads all owners, and starts failovers. */
  private void look() {
    double busy = table.routes().size() / latencies.rowsPerMilli();
    for (int node : noticed) {
      busy += latencies.commit();
      for (int i = node; i < table.routes().size(); i += nodes) {
        int partition = i;
        busy += latencies.commit();
        time.after(busy, () -> start(partition));
      }
    }
    noticed.clear();
    if (time.now() < lastLease) {
      time.after(busy + latencies.look(), this::look);
    }
  }

  private void start(int partition) {
    waiting.add(partition);
    next();
  }

  private void next() {
    while (running < latencies.atOnce() && !waiting.isEmpty()) {
      running++;
      int partition = waiting.remove();
      // Two commits say what comes next, the third is the flip; the new owner loads before it.
      time.after(3 * latencies.commit() + latencies.load(), () -> flip(partition));
    }
  }

  private void flip(int partition) {
    String id = table.routes().get(partition).partition();
    String from = table.routes().get(partition).node();
    table.move(partition, placement.choose(id, Set.of(from)).orElseThrow());
    flippedIn.put(partition, table.version());
    push();
    loadedAt.put(partition, time.now());
    time.after(
        latencies.commit(),
        () -> {
          running--;
          next();
        });
  }

  /** The manager reads the table again; what changes meanwhile is in the next push. */
  private void push() {
    again = pushing;
    if (!pushing) {
      pushing = true;
      time.after(
          table.routes().size() / latencies.rowsPerMilli(),
          () -> {
            RoutingTable now = table.table();
            pushes.add(
                new Push(
                    time.now(), now.version(), WireRoutes.delta(pushed, now).getSerializedSize()));
            pushed = now;
            pushing = false;
            if (again) {
              push();
            }
          });
    }
  }

  private Result result(int dead) {
    List<Double> served = new ArrayList<>();
    Map<String, Integer> given = new HashMap<>();
    for (int node = dead; node < nodes; node++) {
      given.put(SimulatedTable.node(node), 0);
    }
    loadedAt.forEach(
        (partition, loaded) -> {
          long version = flippedIn.getOrDefault(partition, Long.MAX_VALUE);
          double known =
              pushes.stream()
                  .filter(push -> push.version() >= version)
                  .mapToDouble(Push::at)
                  .findFirst()
                  .orElseThrow();
          served.add(Math.max(loaded, known));
          given.merge(table.routes().get(partition).node(), 1, Integer::sum);
        });
    served.sort(null);
    IntSummaryStatistics spread =
        given.values().stream().mapToInt(Integer::intValue).summaryStatistics();
    return new Result(served, pushes, spread);
  }
}
