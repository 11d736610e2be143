package dev.tidemark.changes;

import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How often and after what pauses a failed call of the source or the metadata store is repeated.
 */
public final class RetryOptions {
  private static final RetryOptions DEFAULTS =
      new RetryOptions(
          5,
          Duration.ofMillis(100),
          2,
          Duration.ofSeconds(30),
          0.2,
          Set.of(Kind.UNAVAILABLE, Kind.ABORTED, Kind.DEADLINE_EXCEEDED));

  /** Five retries, 100 ms doubling to 30 s, a fifth of it by chance. */
  public static RetryOptions defaults() {
    return DEFAULTS;
  }

  private final int retries;
  private final Duration first;
  private final double factor;
  private final Duration longest;
  private final double jitter;
  private final Set<Kind> kinds;

  private RetryOptions(
      int retries,
      Duration first,
      double factor,
      Duration longest,
      double jitter,
      Set<Kind> kinds) {
    kinds = Set.copyOf(kinds);
    if (retries < 0 || !(factor >= 1 && factor <= 1_000) || !(jitter >= 0 && jitter <= 1)) {
      throw UsageException.invalidOption(
          "retries is %d, factor %s, jitter %s; they must be at least 0, 1 to 1,000, and 0 to 1"
              .formatted(retries, factor, jitter));
    }
    OptionChecks.positive("first", first);
    OptionChecks.positive("longest", longest);
    this.retries = retries;
    this.first = first;
    this.factor = factor;
    this.longest = longest;
    this.jitter = jitter;
    this.kinds = kinds;
  }

  /** Calls after the first one. Default 5. */
  public int retries() {
    return retries;
  }

  /** The first pause. Default 100 ms. */
  public Duration first() {
    return first;
  }

  /** The factor by which each pause is longer than the previous one. Default 2. */
  public double factor() {
    return factor;
  }

  /** The longest pause. Default 30 s. */
  public Duration longest() {
    return longest;
  }

  /** The share of each pause that is left to chance, between 0 and 1. Default 0.2. */
  public double jitter() {
    return jitter;
  }

  /** The failures of the source that are worth another call. */
  public Set<Kind> kinds() {
    return kinds;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetryOptions that
        && retries == that.retries
        && Objects.equals(first, that.first)
        && Double.compare(factor, that.factor) == 0
        && Objects.equals(longest, that.longest)
        && Double.compare(jitter, that.jitter) == 0
        && Objects.equals(kinds, that.kinds);
  }

  @Override
  public int hashCode() {
    return Objects.hash(retries, first, factor, longest, jitter, kinds);
  }

  @Override
  public String toString() {
    return "RetryOptions["
        + "retries="
        + retries
        + ", first="
        + first
        + ", factor="
        + factor
        + ", longest="
        + longest
        + ", jitter="
        + jitter
        + ", kinds="
        + kinds
        + "]";
  }
}
