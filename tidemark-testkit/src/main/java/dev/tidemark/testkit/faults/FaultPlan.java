package dev.tidemark.testkit.faults;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Which commits of a {@link FaultyDatabase} go wrong, and how. */
@FunctionalInterface
public interface FaultPlan {
  /** What happens to the commit with this number; the first one is 1. */
  Optional<Fault> at(long commit);

  /** A plan by which all commits go well. */
  static FaultPlan none() {
    return commit -> Optional.empty();
  }

  /** A plan by which exactly these commits go wrong. */
  static FaultPlan at(Map<Long, Fault> faults) {
    Map<Long, Fault> copy = Map.copyOf(faults);
    return commit -> Optional.ofNullable(copy.get(commit));
  }

  /** A plan by which the first commits go wrong, one fault each, and all later ones go well. */
  static FaultPlan first(Fault... faults) {
    List<Fault> copy = List.of(faults);
    return commit ->
        commit <= copy.size() ? Optional.of(copy.get((int) commit - 1)) : Optional.empty();
  }

  /**
   * A plan by which a share of the commits go wrong. The same seed makes the same decision for the
   * same number.
   *
   * @param share between 0 (none) and 1 (all)
   * @param faults to choose from, each as likely as the others
   */
  static FaultPlan random(long seed, double share, Fault... faults) {
    List<Fault> copy = List.of(faults);
    return commit -> {
      SplittableRandom random = new SplittableRandom(seed * 1_000_003 + commit);
      return random.nextDouble() < share
          ? Optional.of(copy.get(random.nextInt(copy.size())))
          : Optional.empty();
    };
  }
}
