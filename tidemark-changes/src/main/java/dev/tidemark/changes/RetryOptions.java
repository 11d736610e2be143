package dev.tidemark.changes;

import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.kv.Backoff;
import java.time.Duration;
import java.util.Set;

/**
 * How often and after what pauses a failed call of the source or the metadata store is repeated.
 *
 * @param retries calls after the first one. Default 5
 * @param first the first pause. Default 100 ms
 * @param factor by how much each pause is longer than the one before. Default 2
 * @param longest the longest pause. Default 30 s
 * @param jitter the share of each pause that is left to chance, between 0 and 1. Default 0.2
 * @param kinds the failures of the source that are worth another call
 */
public record RetryOptions(
    int retries, Duration first, double factor, Duration longest, double jitter, Set<Kind> kinds) {
  private static final RetryOptions DEFAULTS =
      new RetryOptions(
          5,
          Duration.ofMillis(100),
          2,
          Duration.ofSeconds(30),
          0.2,
          Set.of(Kind.UNAVAILABLE, Kind.ABORTED, Kind.DEADLINE_EXCEEDED));

  /** Refuses values that make no sense. */
  public RetryOptions {
    kinds = Set.copyOf(kinds);
    if (retries < 0 || !(factor >= 1 && factor <= 1_000) || !(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException(
          "retries is %d, factor %s, jitter %s; they must be at least 0, 1 to 1,000, and 0 to 1"
              .formatted(retries, factor, jitter));
    }
    ReaderOptions.checkDuration("first", first);
    ReaderOptions.checkDuration("longest", longest);
  }

  /** Five retries, 100 ms doubling to 30 s, a fifth of it by chance. */
  public static RetryOptions defaults() {
    return DEFAULTS;
  }

  /** These options with another number of retries. */
  public RetryOptions withRetries(int number) {
    return new RetryOptions(number, first, factor, longest, jitter, kinds);
  }

  /** These options with other pauses. */
  public RetryOptions withPauses(Duration firstPause, double by, Duration longestPause) {
    return new RetryOptions(retries, firstPause, by, longestPause, jitter, kinds);
  }

  /** These options with another share of chance. */
  public RetryOptions withJitter(double share) {
    return new RetryOptions(retries, first, factor, longest, share, kinds);
  }

  /** These options with other failures that are worth another call. */
  public RetryOptions withKinds(Set<Kind> other) {
    return new RetryOptions(retries, first, factor, longest, jitter, other);
  }

  /**
   * The pause before retry number {@code retry}, which counts from 1.
   *
   * @param chance between 0 and 1; takes away from the part that is left to chance
   */
  public Duration pause(int retry, double chance) {
    return Backoff.of(first, longest)
        .withFactor(factor)
        .withJitter(jitter)
        .after(retry, 1 - chance);
  }
}
