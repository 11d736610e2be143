package dev.tidemark.pulse.pool;

import dev.tidemark.kv.UsageException;
import java.time.Duration;

/**
 * What happens to a job whose handler fails.
 *
 * <p>It is tried again, each time after twice the delay of the time before. When it has failed
 * {@code attemptsMax} times, whoever waits for its start is told and the job is forgotten; if
 * nobody waits any more it is kept as a {@link PoolClient#deadJobs dead} job. A job that had been
 * running and could not be started again at its new worker is not given up without retries of its
 * own: it is tried again after {@link PoolOptions#restartGrace}.
 *
 * @param attemptsMax how often it is tried in all
 * @param firstDelay how long until the second attempt; doubled for each further one
 * @param delayMax the longest delay
 */
public record RetryPolicy(int attemptsMax, Duration firstDelay, Duration delayMax) {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** One attempt. */
  public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

  /** Refuses values that make no sense. */
  public RetryPolicy {
    if (attemptsMax < 1) {
      throw UsageException.invalidOption(
          "attemptsMax is " + attemptsMax + "; it must be 1 or more");
    }
    if (firstDelay.isNegative()) {
      throw UsageException.invalidOption("firstDelay is " + firstDelay + "; it must be 0 or more");
    }
    if (delayMax.compareTo(firstDelay) < 0) {
      throw UsageException.invalidOption(
          "delayMax is %s and firstDelay %s; delayMax must not be the shorter one"
              .formatted(delayMax, firstDelay));
    }
    if (delayMax.compareTo(LONGEST) > 0) {
      throw UsageException.invalidOption(
          "delayMax is " + delayMax + "; it must not be longer than a century");
    }
  }

  /**
   * Up to {@code attemptsMax} tries, the second after {@code firstDelay}, at most a minute apart.
   */
  public static RetryPolicy of(int attemptsMax, Duration firstDelay) {
    Duration minute = Duration.ofMinutes(1);
    return new RetryPolicy(
        attemptsMax, firstDelay, firstDelay.compareTo(minute) > 0 ? firstDelay : minute);
  }

  /** How long to wait after the failure with this number; the first is 1. */
  public Duration delayAfter(int failures) {
    Duration delay = firstDelay;
    for (int i = 1; i < failures && delay.compareTo(delayMax) < 0 && !delay.isZero(); i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(delayMax) < 0 ? delay : delayMax;
  }
}
