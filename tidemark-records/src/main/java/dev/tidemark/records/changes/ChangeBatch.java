package dev.tidemark.records.changes;

import java.util.List;
import java.util.Optional;

/**
 * Changes of one partition that follow each other.
 *
 * @param changes the changes, in the order of their positions
 * @param position where the next read goes on. Nothing of the partition at or before it can still
 *     come: it is behind the last change, or, if {@code caughtUp}, behind the whole version that
 *     was read, which is the heartbeat of a partition without changes
 * @param caughtUp whether all that is committed has been read
 * @param end how the partition ended, if this batch reached its end; there are no further changes
 */
public record ChangeBatch(
    List<DataChange> changes,
    ChangePosition position,
    boolean caughtUp,
    Optional<PartitionEnd> end) {
  /** Copies the list. */
  public ChangeBatch {
    changes = List.copyOf(changes);
  }
}
