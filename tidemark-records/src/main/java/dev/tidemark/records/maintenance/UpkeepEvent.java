package dev.tidemark.records.maintenance;

import java.time.Duration;

/** What an {@link Upkeep} has done, or could not do. */
public sealed interface UpkeepEvent {
  /** What there is to do. */
  enum Work {
    /** Deletes records that have expired. */
    SWEEP,
    /** Renews statistics that are stale. */
    STATISTICS,
    /** Removes changes that are older than the retention of their change stream. */
    CHANGES
  }

  /**
   * Expired records were looked for.
   *
   * @param records how many were deleted
   * @param complete false if time was over before the last; the others follow soon
   */
  record Swept(long records, boolean complete) implements UpkeepEvent {}

  /**
   * Statistics were looked at.
   *
   * @param stale whether some were stale and are renewed
   * @param complete false if time was over before the last; the others follow soon
   */
  record Refreshed(boolean stale, boolean complete) implements UpkeepEvent {}

  /**
   * Changes beyond the retention of their change stream were removed.
   *
   * @param streams in how many streams
   */
  record Trimmed(int streams) implements UpkeepEvent {}

  /**
   * Something failed.
   *
   * @param work what it was
   * @param failure why; an {@link Error} too
   * @param pause after which it is tried again, more or less
   */
  record Failed(Work work, Throwable failure, Duration pause) implements UpkeepEvent {}
}
