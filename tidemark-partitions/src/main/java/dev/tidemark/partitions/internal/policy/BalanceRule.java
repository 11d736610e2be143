package dev.tidemark.partitions.internal.policy;

import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the move that helps most. Load comes first: a move for the sake of equal counts happens
 * only if it leaves the loads within their limit, so that the two never undo each other.
 */
final class BalanceRule {
  /**
   * A move must relieve the most loaded node by this part of the average, or it is not worth it.
   */
  private static final double LEAST_GAIN = 0.05;

  /** And by this part of what is moved, so that noise in the statistics does not move it back. */
  private static final double LEAST_GAIN_OF_MOVED = 0.1;

  /**
   * Moves for equal counts leave the loads within this part of their limit. At 0.8, statistics with
   * three percent of noise moved a partition to and fro for ever.
   */
  private static final double MARGIN = 0.5;

  private final PolicyRound round;
  private final Policy.Balance limits;
  private final Map<String, List<PartitionLoad>> byNode;
  private final Map<String, Double> loads = new HashMap<>();
  private final double average;

  BalanceRule(PolicyRound round) {
    this.round = round;
    this.limits = round.policy.balance();
    this.byNode = round.cluster.byPlaceableNode();
    byNode.forEach(
        (node, partitions) ->
            loads.put(node, partitions.stream().mapToDouble(PartitionLoad::rps).sum()));
    this.average = byNode.keySet().stream().mapToDouble(this::load).average().orElse(0);
  }

  Optional<Action> choose() {
    if (!limits.on() || byNode.size() < 2 || !isSettled()) {
      return Optional.empty();
    }
    return byLoad().or(this::byCount);
  }

  /** Nothing moves while a node is silent, or while a rolling restart is under way. */
  private boolean isSettled() {
    List<NodeLoad> placeable = round.cluster.nodes().stream().filter(NodeLoad::placeable).toList();
    Optional<NodeLoad> silent = placeable.stream().filter(node -> !node.reporting()).findFirst();
    if (silent.isPresent()) {
      round.noteGeneral("no moves: node %s reports nothing".formatted(silent.get().node()));
      return false;
    }
    List<String> generations =
        placeable.stream().map(NodeLoad::generation).distinct().sorted().toList();
    if (generations.size() > 1) {
      round.noteGeneral(
          "no moves: nodes of the generations %s are active, as in a rolling restart"
              .formatted(generations));
      return false;
    }
    return true;
  }

  private Optional<Action> byLoad() {
    String hottest = extreme(Comparator.comparingDouble(this::load).reversed());
    String coolest = extreme(Comparator.comparingDouble(this::load));
    double high = load(hottest);
    double low = load(coolest);
    if (imbalance(high, low) <= limits.rpsImbalancePercent()) {
      round.noteGeneral(
          String.format(
              Locale.ROOT,
              "loads are balanced: they differ by %.0f%% of the average",
              imbalance(high, low)));
      return Optional.empty();
    }
    Optional<PartitionLoad> best =
        partitionsOf(hottest).stream()
            .filter(partition -> isWorthIt(partition, gain(partition, high, low)))
            .filter(round::isFree)
            .max(
                Comparator.<PartitionLoad>comparingDouble(p -> gain(p, high, low))
                    .thenComparing(PartitionLoad::bytes, Comparator.reverseOrder())
                    .thenComparing(PartitionLoad::id));
    if (best.isEmpty()) {
      String why = "no move from %s to %s would help enough".formatted(hottest, coolest);
      round.noteGeneral(why);
      partitionsOf(hottest).forEach(partition -> round.note(partition.id(), () -> why));
    }
    return best.map(
        partition -> {
          double gain = gain(partition, high, low);
          String reason =
              String.format(
                  Locale.ROOT,
                  "%s has %.1f requests a second, %s has %.1f; the move relieves by %.1f",
                  hottest,
                  high,
                  coolest,
                  low,
                  gain);
          return new Action.Move(partition.id(), hottest, coolest, gain, reason);
        });
  }

  private Optional<Action> byCount() {
    String fullest = extreme(Comparator.comparingInt(this::count).reversed());
    String emptiest = extreme(Comparator.comparingInt(this::count));
    int difference = count(fullest) - count(emptiest);
    if (difference <= limits.maxPartitionDifference()) {
      return Optional.empty();
    }
    return partitionsOf(fullest).stream()
        .filter(partition -> staysBalanced(partition, fullest, emptiest))
        .filter(round::isFree)
        .min(Comparator.comparingDouble(PartitionLoad::rps).thenComparing(PartitionLoad::id))
        .map(
            partition ->
                new Action.Move(
                    partition.id(),
                    fullest,
                    emptiest,
                    0,
                    "%s has %d partitions more than %s".formatted(fullest, difference, emptiest)));
  }

  private boolean staysBalanced(PartitionLoad partition, String from, String to) {
    Map<String, Double> after = new HashMap<>(loads);
    after.merge(from, -partition.rps(), Double::sum);
    after.merge(to, partition.rps(), Double::sum);
    double high = after.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    double low = after.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
    boolean stays = imbalance(high, low) <= limits.rpsImbalancePercent() * MARGIN;
    if (!stays) {
      round.note(partition.id(), () -> "no move for equal counts: it would unbalance the load");
    }
    return stays;
  }

  private boolean isWorthIt(PartitionLoad partition, double gain) {
    return gain > LEAST_GAIN * average && gain > LEAST_GAIN_OF_MOVED * partition.rps();
  }

  private static double gain(PartitionLoad partition, double high, double low) {
    return high - Math.max(high - partition.rps(), low + partition.rps());
  }

  private double imbalance(double high, double low) {
    return average <= 0 ? 0 : (high - low) / average * 100;
  }

  private List<PartitionLoad> partitionsOf(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  private double load(String node) {
    return loads.getOrDefault(node, 0.0);
  }

  private int count(String node) {
    return partitionsOf(node).size();
  }

  private String extreme(Comparator<String> order) {
    return byNode.keySet().stream().min(order.thenComparing(node -> node)).orElseThrow();
  }
}
