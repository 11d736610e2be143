package dev.tidemark.pulse;

import java.time.Duration;

/**
 * What happens to a job whose handler fails.
 *
 * @param attemptsMax how often it is tried in all
 * @param firstDelay how long until the second attempt; doubled for each further one
 * @param delayMax the longest delay
 */
public record RetryPolicy(int attemptsMax, Duration firstDelay, Duration delayMax) {
  /** The failure goes to the caller of dispatch and the job is gone. */
  public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);
}
