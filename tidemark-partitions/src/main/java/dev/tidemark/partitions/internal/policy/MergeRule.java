package dev.tidemark.partitions.internal.policy;

import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds neighbours that have been small together for long enough. */
final class MergeRule {
  /**
   * Pairs whose rounds are counted. At most one pair is merged in a round; counting more pairs
   * would only make the row longer that keeps the counts.
   */
  static final int CANDIDATES = 1_000;

  private final PolicyRound round;
  private final Policy.Merge limits;

  MergeRule(PolicyRound round) {
    this.round = round;
    this.limits = round.policy.merge();
  }

  /** The rounds of each pair, this one included. A pair that is too large now starts again. */
  Map<String, Integer> countRounds(Map<String, Integer> before) {
    Map<String, Integer> rounds = new HashMap<>();
    if (limits.isOn()) {
      int[] room = {CANDIDATES - before.size()};
      forEachPair(
          (lower, upper) -> {
            boolean counted = before.containsKey(lower.id());
            if (isSmall(lower, upper) && (counted || room[0]-- > 0)) {
              rounds.put(lower.id(), before.getOrDefault(lower.id(), 0) + 1);
            }
          });
    }
    return rounds;
  }

  Optional<Action> choose(Map<String, Integer> rounds) {
    Map<String, Action> found = new HashMap<>();
    forEachPair(
        (lower, upper) -> {
          int count = rounds.getOrDefault(lower.id(), 0);
          if (count == 0 || !found.isEmpty()) {
            return;
          }
          if (count < limits.stableRounds()) {
            round.note(
                lower.id(),
                () ->
                    "no merge with %s yet: small in %d rounds of %d"
                        .formatted(upper.id(), count, limits.stableRounds()));
          } else if (round.isFree(lower) && round.isFree(upper)) {
            found.put(lower.id(), new Action.Merge(lower.id(), upper.id(), reason(lower, upper)));
          }
        });
    return found.values().stream().findFirst();
  }

  private static String reason(PartitionLoad lower, PartitionLoad upper) {
    return String.format(Locale.ROOT, "%.1f requests a second together", lower.rps() + upper.rps());
  }

  private boolean isSmall(PartitionLoad lower, PartitionLoad upper) {
    if (lower.load().isEmpty() || upper.load().isEmpty()) {
      round.note(lower.id(), () -> "no merge: it or its neighbour has no statistics");
      return false;
    }
    double rps = lower.rps() + upper.rps();
    if (limits.rpsThreshold() > 0 && rps >= limits.rpsThreshold()) {
      round.note(
          lower.id(),
          () ->
              String.format(
                  Locale.ROOT, "no merge with %s: %.1f requests a second", upper.id(), rps));
      return false;
    }
    Policy.Split split = round.policy.split();
    return fits(lower, upper, limits.keyThreshold())
        && fits(lower, upper, split.keyThreshold() / 2)
        && (split.rpsThreshold() <= 0 || rps < split.rpsThreshold() / 2);
  }

  /** An unknown number of keys is never small. */
  private boolean fits(PartitionLoad lower, PartitionLoad upper, long limit) {
    if (limit <= 0) {
      return true;
    }
    long below = lower.load().get().keys().orElse(-1);
    long above = upper.load().get().keys().orElse(-1);
    if (below < 0 || above < 0 || below + above >= limit) {
      round.note(
          lower.id(),
          () ->
              "no merge with %s: %s"
                  .formatted(
                      upper.id(),
                      below < 0 || above < 0
                          ? "the number of keys is unknown"
                          : below + above + " keys together"));
      return false;
    }
    return true;
  }

  private void forEachPair(PairAction action) {
    List<PartitionLoad> all = round.cluster.partitions();
    for (int i = 1; i < all.size(); i++) {
      PartitionLoad lower = all.get(i - 1);
      PartitionLoad upper = all.get(i);
      if (lower.route().type().equals(upper.route().type())
          && lower.route().range().isFollowedBy(upper.route().range())) {
        action.accept(lower, upper);
      }
    }
  }

  private interface PairAction {
    void accept(PartitionLoad lower, PartitionLoad upper);
  }
}
