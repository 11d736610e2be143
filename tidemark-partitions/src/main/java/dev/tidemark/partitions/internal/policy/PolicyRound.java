package dev.tidemark.partitions.internal.policy;

import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One look of a policy at the cluster. A hot partition is split before anything moves, because
 * moving it would not cool it; then load is balanced, then small neighbours are merged.
 */
public final class PolicyRound {
  final Policy policy;
  final ClusterLoad cluster;
  private final PolicyMemory memory;
  private final long now;
  private final List<String> general = new ArrayList<>();
  private final Map<String, List<Supplier<String>>> reasons = new HashMap<>();

  private PolicyRound(Policy policy, ClusterLoad cluster, PolicyMemory memory, long now) {
    this.policy = policy;
    this.cluster = cluster;
    this.memory = memory;
    this.now = now;
  }

  /**
   * What to do now.
   *
   * @param now microseconds of the store's time
   */
  public static Decision decide(Policy policy, ClusterLoad cluster, PolicyMemory memory, long now) {
    PolicyMemory recent = memory.forgetBefore(now - micros(policy.cooldown().partition()));
    return new PolicyRound(policy, cluster, recent, now).decide();
  }

  private Decision decide() {
    if (!policy.isAutomatic()) {
      return rest("the policy is manual: only an operator splits, merges and moves", memory);
    }
    long pause = memory.lastAction() + micros(policy.cooldown().global()) - now;
    if (memory.lastAction() > 0 && pause > 0) {
      return rest(
          "the cluster rests for another %d ms after its last action (cooldown.global)"
              .formatted(pause / 1_000),
          memory);
    }
    Optional<Action> split = new SplitRule(this).choose();
    Map<String, Integer> rounds = new MergeRule(this).countRounds(memory.mergeRounds());
    PolicyMemory counted = memory.withMergeRounds(rounds);
    Optional<Action> action =
        split
            .or(() -> new BalanceRule(this).choose())
            .or(() -> new MergeRule(this).choose(counted.mergeRounds()));
    return new Decision(action, general, reasons, counted);
  }

  private Decision rest(String reason, PolicyMemory unchanged) {
    general.add(reason);
    return new Decision(Optional.empty(), general, reasons, unchanged);
  }

  /** Whether the partition may change now; otherwise the reason is noted. */
  boolean isFree(PartitionLoad partition) {
    if (partition.inOperation()) {
      note(partition.id(), () -> "an operation is at work on it");
      return false;
    }
    Long last = memory.lastActions().get(partition.id());
    long pause = last == null ? 0 : last + micros(policy.cooldown().partition()) - now;
    if (pause > 0) {
      note(
          partition.id(),
          () ->
              "it rests for another %d ms after its last action (cooldown.partition)"
                  .formatted(pause / 1_000));
      return false;
    }
    return true;
  }

  void note(String partition, Supplier<String> reason) {
    reasons.computeIfAbsent(partition, any -> new ArrayList<>(2)).add(reason);
  }

  void noteGeneral(String reason) {
    general.add(reason);
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
