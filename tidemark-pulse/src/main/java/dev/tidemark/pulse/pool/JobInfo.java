package dev.tidemark.pulse.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * What a pool knows of a job at one moment.
 *
 * @param key its key
 * @param state what it is doing
 * @param owner the id of the worker that has it, in the states assigned and running
 * @param attempts how often it was tried and failed
 * @param createdAt when it was dispatched
 * @param due when it is to be started, in the state scheduled
 * @param failure what its handler said when it failed last
 */
public record JobInfo(
    String key,
    State state,
    Optional<String> owner,
    int attempts,
    Instant createdAt,
    Optional<Instant> due,
    Optional<String> failure) {
  /** What a job is doing. */
  public enum State {
    /** There is no worker for it yet. */
    WAITING,
    /** It is at a worker that has not started it yet. */
    ASSIGNED,
    /** It is running. */
    RUNNING,
    /** It waits for its time: a delay, or the next try after a failure. */
    SCHEDULED,
    /** It failed and is not tried again. */
    DEAD
  }
}
