package dev.tidemark.records.maintenance;

import java.time.Duration;

/** An event of an {@link Upkeep}: what it has done, or why it failed. */
public sealed interface UpkeepEvent {
  /** The kinds of work. */
  enum Work {
    /** Deletes expired records. */
    SWEEP,
    /** Refreshes stale statistics. */
    STATISTICS,
    /** Removes changes that are older than the retention of their change stream. */
    CHANGES
  }

  /**
   * A sweep of expired records has ended.
   *
   * @param records the number of records that were deleted
   * @param complete false if the time was over before the end; the rest follows soon
   */
  record Swept(long records, boolean complete) implements UpkeepEvent {}

  /**
   * A check of the statistics has ended.
   *
   * @param stale whether some were stale and were refreshed
   * @param complete false if the time was over before the end; the rest follows soon
   */
  record Refreshed(boolean stale, boolean complete) implements UpkeepEvent {}

  /**
   * Changes beyond the retention of their change stream were removed.
   *
   * @param streams the number of streams with removed changes
   */
  record Trimmed(int streams) implements UpkeepEvent {}

  /**
   * A task failed.
   *
   * @param work the task
   * @param failure the cause, which may be an {@link Error}
   * @param pause the approximate pause before the task is retried
   */
  record Failed(Work work, Throwable failure, Duration pause) implements UpkeepEvent {}
}
