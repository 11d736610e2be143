package dev.tidemark.chaos.partitions;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is done to a cluster at which time. Both scripts do the same; in one of them a policy splits
 * and moves partitions beside it.
 *
 * @param name what it is called
 * @param policy the policy that is active, if one is
 */
record Script(String name, Optional<ScriptedPolicy> policy) {
  /** How long it takes unless another length is asked for. */
  static final Duration LENGTH = Duration.ofMinutes(8);

  /** The workers end, and after a rest everything is compared. */
  static final int WORK_ENDS = 450;

  static final List<Event> EVENTS =
      List.of(
          new Event(30, Deed.SPLIT, ""),
          new Event(60, Deed.MIGRATE, "node-3"),
          new Event(90, Deed.SPLIT, ""),
          new Event(120, Deed.KILL, "node-3"),
          new Event(150, Deed.START, "node-3"),
          new Event(180, Deed.MIGRATE, "node-1"),
          new Event(210, Deed.SPLIT, ""),
          new Event(240, Deed.TERMINATE, "node-1"),
          new Event(270, Deed.START, "node-1"),
          new Event(300, Deed.MIGRATE, "node-2"),
          new Event(330, Deed.SPLIT, ""),
          new Event(360, Deed.KILL, "node-2"),
          new Event(390, Deed.START, "node-2"));

  private static final List<Script> ALL =
      List.of(
          new Script("manual", Optional.empty()),
          new Script("threshold", Optional.of(new ScriptedPolicy(20, 30, 60, 2_000, 1))));

  /** What is done. */
  enum Deed {
    SPLIT,
    MIGRATE,
    KILL,
    TERMINATE,
    START
  }

  /**
   * One of the script's events.
   *
   * @param second when, if the script has its usual length
   * @param deed what
   * @param node the node that is killed, ended or started, or gets the partition
   */
  record Event(int second, Deed deed, String node) {
    /** For people. */
    String what() {
      return (deed.name().toLowerCase(Locale.ROOT) + " " + node).strip();
    }
  }

  /**
   * A threshold policy, with times that are shortened as the script is.
   *
   * @param interval seconds between two rounds
   * @param cooldown seconds after any action
   * @param partitionCooldown seconds after an action, for its partition
   * @param keys a partition that has more is split
   * @param difference how many more partitions a node may have than another
   */
  record ScriptedPolicy(
      int interval, int cooldown, int partitionCooldown, int keys, int difference) {
    String yaml(Duration length) {
      return """
      algorithm: threshold
      check_interval: %dms
      cooldown: {global: %dms, partition: %dms}
      split: {key_threshold: %d}
      balance: {max_partition_diff: %d}
      """
          .formatted(
              at(interval, length).toMillis(),
              at(cooldown, length).toMillis(),
              at(partitionCooldown, length).toMillis(),
              keys,
              difference);
    }
  }

  /** The script with this name. */
  static Script named(String name) {
    return ALL.stream()
        .filter(script -> script.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no script %s; there are %s".formatted(name, names())));
  }

  private static List<String> names() {
    return ALL.stream().map(Script::name).toList();
  }

  /** When an event is due in a script of this length. */
  static Duration at(int second, Duration length) {
    return length.multipliedBy(second).dividedBy(LENGTH.toSeconds());
  }
}
