package dev.tidemark.partitions.internal.policy;

import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.policy.ClusterLoad.Load;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the partition that exceeds its limits most. */
final class SplitRule {
  private final PolicyRound round;
  private final Policy.Split limits;
  private final Map<String, Double> averages;
  private final Map<String, Long> counts;

  SplitRule(PolicyRound round) {
    this.round = round;
    this.limits = round.policy.split();
    this.averages =
        round.cluster.partitions().stream()
            .filter(partition -> partition.load().isPresent())
            .collect(
                Collectors.groupingBy(
                    partition -> partition.route().type(),
                    Collectors.averagingDouble(PartitionLoad::rps)));
    this.counts =
        round.cluster.partitions().stream()
            .collect(
                Collectors.groupingBy(
                    partition -> partition.route().type(), Collectors.counting()));
  }

  Optional<Action> choose() {
    double most = 1;
    Optional<Action> best = Optional.empty();
    for (PartitionLoad partition : round.cluster.partitions()) {
      double excess = excess(partition);
      if (excess > 1 && canBeSplit(partition) && round.isFree(partition) && excess > most) {
        most = excess;
        best = Optional.of(new Action.Split(partition.id(), reason(partition)));
      }
    }
    return best;
  }

  /** How many times above its tightest limit a partition is; strictly more than 1 splits it. */
  private double excess(PartitionLoad partition) {
    if (partition.load().isEmpty()) {
      round.note(partition.id(), () -> "no split: its node reports no statistics of it");
      return 0;
    }
    Load load = partition.load().get();
    double rps = limits.rpsThreshold() > 0 ? load.rps() / limits.rpsThreshold() : 0;
    double keys = 0;
    if (limits.keyThreshold() > 0) {
      if (load.keys().isEmpty()) {
        round.note(partition.id(), () -> "no split by keys: the actor does not count them");
      } else {
        keys = (double) load.keys().getAsLong() / limits.keyThreshold();
      }
    }
    double excess = Math.max(Math.max(rps, keys), relative(partition));
    if (excess <= 1) {
      round.note(
          partition.id(),
          () -> String.format(Locale.ROOT, "no split: at %.0f%% of its limit", excess * 100));
    }
    return excess;
  }

  private double relative(PartitionLoad partition) {
    double average = averages.getOrDefault(partition.route().type(), 0.0);
    if (limits.rpsMultiplier() <= 0 || average <= 0) {
      return 0;
    }
    if (average < limits.minAverageRps()) {
      round.note(
          partition.id(),
          () ->
              String.format(
                  Locale.ROOT,
                  "no split: the average of its type is %.1f requests a second, below min_avg_rps",
                  average));
      return 0;
    }
    return partition.rps() / (average * limits.rpsMultiplier());
  }

  private boolean canBeSplit(PartitionLoad partition) {
    if (partition.load().get().keys().orElse(2) <= 1) {
      round.note(partition.id(), () -> "no split: all its load is on a single key");
      return false;
    }
    if (counts.getOrDefault(partition.route().type(), 0L) >= limits.maxPartitions()) {
      round.note(
          partition.id(),
          () ->
              "no split: its type has %d partitions already (split.max_partitions)"
                  .formatted(limits.maxPartitions()));
      return false;
    }
    return true;
  }

  private static String reason(PartitionLoad partition) {
    return String.format(
        Locale.ROOT,
        "%.1f requests a second, %s keys",
        partition.rps(),
        partition.load().flatMap(SplitRule::keys).orElse("unknown"));
  }

  private static Optional<String> keys(Load load) {
    return load.keys().isPresent()
        ? Optional.of(Long.toString(load.keys().getAsLong()))
        : Optional.empty();
  }
}
