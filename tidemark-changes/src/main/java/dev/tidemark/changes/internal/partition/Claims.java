package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Which partitions may be claimed, and which may be forgotten. Pure functions over rows. */
final class Claims {
  private Claims() {}

  /** The rows that a claim looks at. */
  interface Known {
    /** A partition, if it is known. */
    Optional<PartitionRow> find(String token);

    /** All partitions of the generation. */
    Collection<PartitionRow> all();

    /** The process that looks. */
    String member();

    /** The store's time. */
    Instant now();

    /** The end of the lease of {@code process}, if it has one. */
    Optional<Instant> leaseEnd(String process);

    /** Whether {@code process} still has its lease. */
    default boolean isAlive(String process) {
      return leaseEnd(process).filter(end -> !end.isBefore(now())).isPresent();
    }

    /** Whether {@code owner} is another process that still has its lease. */
    default boolean isAnotherAlive(String owner) {
      return !owner.equals(member()) && isAlive(owner);
    }
  }

  /**
   * Whether {@code row} may be claimed: it is not finished, nobody else alive owns it, and each
   * parent is finished. Parents finish only after all their records were acknowledged, so this is
   * what keeps the order of each key.
   *
   * <p>A process may claim again what it owns already: it failed between a claim and the first
   * read, or did not hear of the claim's commit. Without that nobody would read the partition for
   * as long as this process lives.
   */
  static boolean isStartable(PartitionRow row, Known known, Comparator<Position> order) {
    return !row.isFinished()
        && row.owner().filter(known::isAnotherAlive).isEmpty()
        && (wasClaimed(row)
            || row.parents().stream().allMatch(token -> isPast(token, row, known, order)));
  }

  /** Its parents were finished by then. Their rows may be gone, and need not be asked again. */
  private static boolean wasClaimed(PartitionRow row) {
    return row.state() != PartitionRow.State.CREATED;
  }

  /**
   * A parent that is not known was forgotten long ago, or has not been reported yet: a merge can be
   * reported by one parent while the other is still to come out of a partition that is read more
   * slowly. It counts as finished once nothing before the child is unfinished, for only a partition
   * that ends before the child begins could report it.
   */
  private static boolean isPast(
      String parent, PartitionRow child, Known known, Comparator<Position> order) {
    return known
        .find(parent)
        .map(PartitionRow::isFinished)
        .orElseGet(
            () ->
                known.all().stream()
                    .allMatch(
                        other ->
                            other.isFinished()
                                || order.compare(other.resume().position(), child.start()) >= 0));
  }

  /**
   * Whether the row of a finished partition may go: it is old enough, no parent is left that could
   * report it again and have it read a second time, and no child waits for it. A root stays: a
   * reader that finds none starts the run anew.
   */
  static boolean isForgettable(
      PartitionRow row,
      Instant limit,
      Map<String, PartitionRow> all,
      UnaryOperator<String> rootOf) {
    String root = rootOf.apply(row.token());
    return !row.token().equals(root)
        && row.finishedAt().filter(at -> at.isBefore(limit)).isPresent()
        && isFinishedOrGone(root, all)
        && row.parents().stream().allMatch(token -> isFinishedOrGone(token, all))
        && all.values().stream()
            .noneMatch(
                child ->
                    child.state() == PartitionRow.State.CREATED
                        && child.parents().contains(row.token()));
  }

  private static boolean isFinishedOrGone(String token, Map<String, PartitionRow> all) {
    PartitionRow row = all.get(token);
    return row == null || row.isFinished();
  }
}
