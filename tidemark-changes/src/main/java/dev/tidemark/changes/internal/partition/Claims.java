package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.PartitionRow;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Which partitions may be claimed, and which may be forgotten. Pure functions over rows. */
final class Claims {
  private Claims() {}

  /** Looks a parent up. */
  @FunctionalInterface
  interface Parents {
    Optional<PartitionRow> find(String token);
  }

  /** Tells whether a process still has its lease. */
  @FunctionalInterface
  interface Owners {
    boolean isAlive(String member);
  }

  /**
   * Whether {@code row} may be claimed: it is not finished, nobody alive owns it, and each parent is
   * finished or not known any more. Parents finish only after all their records were acknowledged,
   * so this is what keeps the order of each key.
   */
  static boolean isStartable(PartitionRow row, Parents parents, Owners owners) {
    return !row.isFinished()
        && row.owner().filter(owners::isAlive).isEmpty()
        && row.parents().stream()
            .allMatch(token -> parents.find(token).map(PartitionRow::isFinished).orElse(true));
  }

  /**
   * Whether the row of a finished partition may go: it is old enough, and no parent is left that
   * could report it again and have it read a second time.
   */
  static boolean isForgettable(PartitionRow row, Instant limit, Map<String, PartitionRow> all) {
    return !row.token().isEmpty()
        && row.finishedAt().filter(at -> at.isBefore(limit)).isPresent()
        && isRootFinished(all)
        && row.parents().stream()
            .allMatch(
                token -> {
                  PartitionRow parent = all.get(token);
                  return parent == null || parent.isFinished();
                });
  }

  private static boolean isRootFinished(Map<String, PartitionRow> all) {
    PartitionRow root = all.get("");
    return root != null && root.isFinished();
  }
}
