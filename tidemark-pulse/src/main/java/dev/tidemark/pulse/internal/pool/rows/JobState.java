package dev.tidemark.pulse.internal.pool.rows;

/** Where a job is. */
public sealed interface JobState {
  /** There is no worker. */
  record Waiting() implements JobState {}

  /** Assigned to a worker that has not reported its start yet. */
  record Assigned(String worker) implements JobState {}

  /** A worker has started it. */
  record Running(String worker) implements JobState {}

  /** It waits for its time, in milliseconds. */
  record Scheduled(long due) implements JobState {}

  /** It failed for good. */
  record Dead() implements JobState {}
}
