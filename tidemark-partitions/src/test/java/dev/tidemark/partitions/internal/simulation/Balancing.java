package dev.tidemark.partitions.internal.simulation;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.internal.policy.Action;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.Load;
import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import dev.tidemark.partitions.internal.policy.Decision;
import dev.tidemark.partitions.internal.policy.PolicyMemory;
import dev.tidemark.partitions.internal.policy.PolicyRound;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/**
 * A steady load with some hot partitions, and a policy that looks at it again and again. What it
 * decides happens at once; of a partition that is split each half has half the load.
 */
final class Balancing {
  private final Policy policy;
  private final List<NodeLoad> nodes = new ArrayList<>();
  private final List<PartitionLoad> partitions = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private PolicyMemory memory = PolicyMemory.EMPTY;
  private long now = 1_000_000;
  private int made;

  Balancing(Policy policy, int nodeCount, int partitionCount, int hot, double rps, long seed) {
    this.policy = policy;
    Random random = new Random(seed);
    for (int i = 0; i < nodeCount; i++) {
      nodes.add(new NodeLoad(SimulatedTable.node(i), true, true, ""));
    }
    List<Route> routes = new SimulatedTable(nodeCount, partitionCount).routes();
    for (int i = 0; i < partitionCount; i++) {
      // The hot ones are neighbours in the key space, and on neighbouring nodes.
      double load = i < hot ? rps : 9 + 2 * random.nextDouble();
      partitions.add(partition(routes.get(i), load));
    }
  }

  private static PartitionLoad partition(Route route, double rps) {
    return new PartitionLoad(
        route, Optional.of(new Load(rps, OptionalLong.of(100_000), 1 << 20)), false);
  }

  /** One round; whether the policy acted. */
  boolean round() {
    Decision decision = PolicyRound.decide(policy, new ClusterLoad(nodes, partitions), memory, now);
    memory = decision.memory();
    decision.action().ifPresent(this::act);
    now += policy.checkInterval().toNanos() / 1_000;
    return decision.action().isPresent();
  }

  private void act(Action action) {
    switch (action) {
      case Action.Split split -> split(indexOf(split.partition()));
      case Action.Move move -> {
        int index = indexOf(move.partition());
        PartitionLoad moved = partitions.get(index);
        Route from = moved.route();
        partitions.set(
            index,
            partition(
                new Route(
                    from.partition(), from.type(), from.range(), move.to(), "", from.epoch() + 1),
                moved.rps()));
      }
      case Action.Merge merge ->
          throw new AssertionError("This policy merges nothing, but decided " + merge);
    }
    counts.merge(action.getClass().getSimpleName().toLowerCase(Locale.ROOT), 1, Integer::sum);
    memory = memory.after(action, now);
  }

  private int indexOf(String partition) {
    for (int i = 0; i < partitions.size(); i++) {
      if (partitions.get(i).id().equals(partition)) {
        return i;
      }
    }
    throw new AssertionError("There is no partition " + partition);
  }

  private void split(int index) {
    PartitionLoad whole = partitions.get(index);
    Route route = whole.route();
    Key middle = SimulatedTable.middle(route.range());
    Route lower = within(route, route.partition(), route.range().below(middle));
    Route upper = within(route, "p-2-" + ++made, route.range().above(middle));
    partitions.set(index, partition(lower, whole.rps() / 2));
    partitions.add(index + 1, partition(upper, whole.rps() / 2));
  }

  private static Route within(Route route, String id, PartitionRange range) {
    return new Route(id, route.type(), range, route.node(), route.address(), route.epoch() + 1);
  }

  /** How many actions of each kind there were. */
  Map<String, Integer> actions() {
    return counts;
  }

  /** By how much the most and the least loaded node differ, in percent of the average. */
  double imbalance() {
    Map<String, Double> loads = new TreeMap<>();
    nodes.forEach(node -> loads.put(node.node(), 0.0));
    partitions.forEach(one -> loads.merge(one.route().node(), one.rps(), Double::sum));
    DoubleSummaryStatistics all =
        loads.values().stream().mapToDouble(Double::doubleValue).summaryStatistics();
    return (all.getMax() - all.getMin()) / all.getAverage() * 100;
  }

  double hottest() {
    return partitions.stream().mapToDouble(PartitionLoad::rps).max().orElse(0);
  }
}
