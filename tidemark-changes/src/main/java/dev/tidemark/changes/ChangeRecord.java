package dev.tidemark.changes;

import java.time.Instant;
import java.util.List;

/** What a partition of a change stream returns: a change, a sign of life, or its successors. */
public sealed interface ChangeRecord
    permits DataChange, ChangeRecord.Heartbeat, ChangeRecord.ChildPartitions {
  /** Where the record stands in the stream. */
  Position position();

  /** The time of the position, for people and for lag. */
  Instant timestamp();

  /**
   * Everything of the partition at or before {@code position} has been returned; what follows comes
   * later. Sources send it while a partition is idle.
   *
   * @param position up to where the partition is complete
   * @param timestamp the time of the position
   */
  record Heartbeat(Position position, Instant timestamp) implements ChangeRecord {}

  /**
   * The partition ends at {@code position}, and the children continue there. All child records of a
   * partition have the same position. A merged child is reported by each of its parents.
   *
   * @param position where the children start; the parent has no change at or after it
   * @param timestamp the time of the position
   * @param recordSequence orders several child records of one partition
   * @param children the partitions that continue
   */
  record ChildPartitions(
      Position position, Instant timestamp, String recordSequence, List<Child> children)
      implements ChangeRecord {
    /** Copies the list. */
    public ChildPartitions {
      children = List.copyOf(children);
    }
  }

  /**
   * A partition that continues others.
   *
   * @param token its name in the source
   * @param parents tokens of the partitions that it continues; none for one that was alive at the
   *     start of the run
   */
  record Child(String token, List<String> parents) {
    /** Copies the list. */
    public Child {
      parents = List.copyOf(parents);
    }
  }
}
