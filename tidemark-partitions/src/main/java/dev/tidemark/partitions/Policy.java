package dev.tidemark.partitions;

import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.internal.policy.PolicyYaml;
import java.time.Duration;

/**
 * When a manager splits, merges and moves partitions by itself. Immutable.
 *
 * <p>A policy is a set of limits. The manager compares statistics with them every {@code
 * checkInterval} and takes at most one action each time. Drains, failovers and rolling restarts are
 * never held up by a policy.
 *
 * @param algorithm the word that names it in YAML: manual, auto, threshold or relative
 * @param checkInterval time between two looks at the statistics; zero only for manual
 * @param failover whether partitions of a node whose lease ended are moved without an operator
 * @param cooldown how long nothing happens after an action
 * @param split when a partition is split
 * @param merge when two neighbours are merged
 * @param balance when a partition moves to another node
 */
public record Policy(
    String algorithm,
    Duration checkInterval,
    Failover failover,
    Cooldown cooldown,
    Split split,
    Merge merge,
    Balance balance) {
  /** Who moves the partitions of a node whose lease ended. */
  public enum Failover {
    /** The manager, at once. */
    AUTOMATIC,
    /** An operator, by a command. */
    MANUAL
  }

  /**
   * How long the manager takes no further action after one.
   *
   * @param global after any action, for the whole cluster
   * @param partition after an action on a partition, for that partition
   */
  public record Cooldown(Duration global, Duration partition) {
    /** No pause. */
    public static final Cooldown NONE = new Cooldown(Duration.ZERO, Duration.ZERO);
  }

  /**
   * When a partition is split. A limit of zero is off.
   *
   * @param rpsThreshold requests a second above which it is split
   * @param keyThreshold keys above which it is split
   * @param rpsMultiplier it is split above this many times the average of its type
   * @param minAverageRps below this average the multiplier does not count
   * @param maxPartitions no split when the type has this many partitions
   */
  public record Split(
      double rpsThreshold,
      long keyThreshold,
      double rpsMultiplier,
      double minAverageRps,
      int maxPartitions) {
    /** A type has at most this many partitions unless a policy says otherwise. */
    public static final int MAX_PARTITIONS = 10_000;

    /** Never. */
    public static final Split OFF = new Split(0, 0, 0, 0, MAX_PARTITIONS);
  }

  /**
   * When two neighbours are merged: when their sum has been below each limit that is not zero, in
   * that many rounds in succession. Without a limit, never.
   *
   * @param rpsThreshold requests a second of both
   * @param keyThreshold keys of both; a partition with an unknown number of keys is not merged
   * @param stableRounds rounds
   */
  public record Merge(double rpsThreshold, long keyThreshold, int stableRounds) {
    /** Never. */
    public static final Merge OFF = new Merge(0, 0, 3);

    /** Whether there is a limit at all. */
    public boolean isOn() {
      return rpsThreshold > 0 || keyThreshold > 0;
    }
  }

  /**
   * When a partition moves to another node.
   *
   * @param on whether any does
   * @param maxPartitionDifference by how many partitions the fullest and the emptiest node differ
   * @param rpsImbalancePercent by how much the most and the least loaded node differ, in percent of
   *     the average load
   */
  public record Balance(boolean on, int maxPartitionDifference, double rpsImbalancePercent) {
    /** Never. */
    public static final Balance OFF = new Balance(false, 2, 30);

    /** Two partitions, or 30 percent. */
    public static final Balance DEFAULTS = new Balance(true, 2, 30);
  }

  /** Refuses limits that make no sense together. */
  public Policy {
    boolean manual = algorithm.equals("manual");
    if (checkInterval.isNegative() || (checkInterval.isZero() && !manual)) {
      throw invalid("check_interval is %s; it must be longer than nothing", checkInterval);
    }
    if (cooldown.global().isNegative() || cooldown.partition().isNegative()) {
      throw invalid("cooldown is %s; times must not be negative", cooldown);
    }
    checkMerge(split, merge);
    if (balance.maxPartitionDifference() < 1 || !(balance.rpsImbalancePercent() > 0)) {
      throw invalid("balance is %s; both limits must be greater than zero", balance);
    }
  }

  private static void checkMerge(Split split, Merge merge) {
    if (merge.stableRounds() < 1) {
      throw invalid("merge.stable_rounds is %s; it must be 1 or more", merge.stableRounds());
    }
    if (split.rpsThreshold() > 0 && merge.rpsThreshold() > split.rpsThreshold() / 2) {
      throw invalid(
          "merge.rps_threshold is %s; it must be at most half of split.rps_threshold, so that what"
              + " was merged is not split again",
          merge.rpsThreshold());
    }
    if (split.keyThreshold() > 0 && merge.keyThreshold() > split.keyThreshold() / 2) {
      throw invalid(
          "merge.key_threshold is %s; it must be at most half of split.key_threshold, so that what"
              + " was merged is not split again",
          merge.keyThreshold());
    }
  }

  private static UsageException invalid(String format, Object value) {
    return UsageException.invalidOption("The policy's " + format.formatted(value));
  }

  /** Nothing happens without an operator, except failover. */
  public static Policy manual() {
    return new Policy(
        "manual",
        Duration.ZERO,
        Failover.AUTOMATIC,
        Cooldown.NONE,
        Split.OFF,
        Merge.OFF,
        Balance.OFF);
  }

  /**
   * Splits partitions above {@code splitThreshold} requests a second, and keeps the nodes equally
   * loaded: a new node takes the hottest partitions, those of a leaving one go to the least loaded.
   */
  public static Policy auto(double splitThreshold, Duration checkInterval) {
    if (!(splitThreshold > 0)) {
      throw invalid("split_threshold is %s; it must be greater than zero", splitThreshold);
    }
    return new Policy(
        "auto",
        checkInterval,
        Failover.AUTOMATIC,
        new Cooldown(Duration.ZERO, checkInterval.multipliedBy(2)),
        new Split(splitThreshold, 0, 0, 0, Split.MAX_PARTITIONS),
        Merge.OFF,
        Balance.DEFAULTS);
  }

  /**
   * The policy that {@code yaml} describes.
   *
   * @throws UsageException if it does not parse, has an unknown field, lacks one that it needs, or
   *     has limits that make no sense
   */
  public static Policy parse(String yaml) {
    return PolicyYaml.parse(yaml);
  }

  /** This policy with another rule for nodes whose lease ended. */
  public Policy withFailover(Failover other) {
    return new Policy(algorithm, checkInterval, other, cooldown, split, merge, balance);
  }

  /** Whether the manager acts by itself, apart from failover. */
  public boolean isAutomatic() {
    return !algorithm.equals("manual");
  }
}
