package dev.tidemark.partitions.internal.policy;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.internal.policy.ClusterLoad.Load;
import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/**
 * Nodes, partitions and keys with a load each, on a clock that a policy's rounds move. What the
 * policy asks for happens at once, and the loads of the partitions follow from their keys.
 */
final class SimulatedCluster {
  private final Policy policy;
  private final double noise;
  private final Random random;
  private final TreeMap<Key, Double> loads = new TreeMap<>();
  private final List<Route> routes = new ArrayList<>();
  private final Map<String, String> nodes = new TreeMap<>();
  private PolicyMemory memory = PolicyMemory.EMPTY;
  private long now = 1_000_000;
  private int made;
  final List<Action> actions = new ArrayList<>();

  SimulatedCluster(Policy policy, double noise, long seed) {
    this.policy = policy;
    this.noise = noise;
    this.random = new Random(seed);
  }

  SimulatedCluster node(String node) {
    nodes.put(node, "1");
    if (routes.isEmpty()) {
      routes.add(route(PartitionRange.ALL, node));
    }
    return this;
  }

  void load(Key key, double rps) {
    loads.put(key, rps);
  }

  /** Cuts the partition that holds {@code key} before the simulation begins. */
  void cut(Key key) {
    Route route = routes.stream().filter(r -> r.range().contains(key)).findFirst().orElseThrow();
    replace(route, within(route, route.range().below(key)));
    routes.add(route(route.range().above(key), route.node()));
  }

  private static Route within(Route route, PartitionRange range) {
    return new Route(route.partition(), "kv", range, route.node(), "h:1", 1);
  }

  private Route route(PartitionRange range, String node) {
    return new Route("p" + ++made, "kv", range, node, node + ":1", 1);
  }

  /** One round: decides, acts, and lets an interval pass. */
  Optional<Action> round() {
    Decision decision = PolicyRound.decide(policy, cluster(), memory, now);
    memory = decision.memory();
    decision.action().ifPresent(this::act);
    now += policy.checkInterval().toNanos() / 1_000;
    return decision.action();
  }

  private void act(Action action) {
    switch (action) {
      case Action.Split split -> split(find(split.partition()));
      case Action.Merge merge -> merge(find(merge.lower()), find(merge.upper()));
      case Action.Move move -> {
        Route route = find(move.partition());
        replace(route, on(route, move.to()));
      }
    }
    actions.add(action);
    memory = memory.after(action, now);
  }

  private void split(Route route) {
    List<Key> keys = keysOf(route);
    Key middle = keys.get(keys.size() / 2);
    cut(middle);
  }

  private void merge(Route lower, Route upper) {
    routes.remove(upper);
    replace(lower, within(lower, new PartitionRange(lower.range().start(), upper.range().end())));
  }

  private static Route on(Route route, String node) {
    return new Route(route.partition(), "kv", route.range(), node, node + ":1", 1);
  }

  private void replace(Route old, Route changed) {
    routes.remove(old);
    routes.add(changed);
  }

  private Route find(String partition) {
    return routes.stream().filter(r -> r.partition().equals(partition)).findFirst().orElseThrow();
  }

  private List<Key> keysOf(Route route) {
    return loads.keySet().stream().filter(route.range()::contains).toList();
  }

  ClusterLoad cluster() {
    routes.sort(Comparator.comparing(route -> route.range().start()));
    return new ClusterLoad(
        nodes.keySet().stream().map(node -> new NodeLoad(node, true, true, "1")).toList(),
        routes.stream().map(this::measured).toList());
  }

  private PartitionLoad measured(Route route) {
    List<Key> keys = keysOf(route);
    double rps = keys.stream().mapToDouble(loads::get).sum();
    double seen = rps * (1 + noise * (random.nextDouble() * 2 - 1));
    return new PartitionLoad(
        route, Optional.of(new Load(seen, OptionalLong.of(keys.size()), keys.size())), false);
  }

  /** The true load of each node. */
  Map<String, Double> loadOfNodes() {
    Map<String, Double> load = new HashMap<>();
    nodes.keySet().forEach(node -> load.put(node, 0.0));
    for (Route route : routes) {
      load.merge(route.node(), keysOf(route).stream().mapToDouble(loads::get).sum(), Double::sum);
    }
    return load;
  }

  int partitions() {
    return routes.size();
  }
}
