package dev.tidemark.records.changes;

import java.util.List;
import java.util.Optional;

/**
 * A batch of consecutive changes of one partition.
 *
 * @param changes the changes, in the order of their positions
 * @param position where the next read resumes. No further change of the partition is at or before
 *     it: it is behind the last change or, if {@code caughtUp}, behind the whole version that was
 *     read, which is the heartbeat of a partition without changes
 * @param caughtUp whether everything that was committed has been read
 * @param end the end of the partition, if this batch reached it; there are no further changes
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
