package dev.tidemark.pulse.internal.pool.rows;

/**
 * A job that a worker is to start.
 *
 * @param claim which
 * @param job what is known of it
 * @param payload what it was dispatched with
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared as a whole
record Assignment(JobClaim claim, JobRow job, byte[] payload) {
  /** Whether a failure of this attempt leads to another one by the job's own retries. */
  public boolean isTriedAgain() {
    return attempt() < job.retry().attemptsMax();
  }

  /** What is to be said of a failure of this attempt, if nobody else is told. */
  public String failed(boolean again) {
    return "The job %s failed at attempt %d of %d and is %s"
        .formatted(
            claim.key(),
            attempt(),
            job.retry().attemptsMax(),
            again ? "tried again" : "dead until it is replayed or stopped");
  }

  /** The number of this attempt, from 1. */
  public int attempt() {
    return job.attempts() + 1;
  }
}
