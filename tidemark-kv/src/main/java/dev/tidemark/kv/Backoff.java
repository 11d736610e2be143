package dev.tidemark.kv;

import java.time.Duration;

/**
 * Pauses between attempts: random, and longer the more attempts have failed. The longest possible
 * pause doubles with each failure up to a limit, or grows by another factor. Chance comes from the
 * {@link TimeSource}, so that a run with a seeded one replays.
 */
public final class Backoff {
  /** Few enough that a pause of zero stays one: it is not multiplied by infinity. */
  private static final int GROWTHS_MAX = 100;

  private final Duration first;
  private final Duration longest;
  private final double leastPart;
  private final double factor;

  private Backoff(Duration first, Duration longest, double leastPart, double factor) {
    this.first = first;
    this.longest = longest;
    this.leastPart = leastPart;
    this.factor = factor;
    if (first.isNegative() || longest.isNegative()) {
      throw UsageException.invalidOption(
          "The first pause is %s and the longest %s; neither may be negative"
              .formatted(first, longest));
    }
  }

  /**
   * Pauses of up to {@code first} after the first failure, and never more than {@code longest}. Any
   * of them may be next to nothing, which spreads competitors best.
   */
  public static Backoff of(Duration first, Duration longest) {
    return new Backoff(first, longest, 0, 2);
  }

  /** These pauses, each at least half of the longest that is possible at its place. */
  public Backoff withAtLeastHalf() {
    return withJitter(0.5);
  }

  /**
   * These pauses, of each of which the part {@code share} is left to chance.
   *
   * @throws UsageException if {@code share} is not from 0 to 1
   */
  public Backoff withJitter(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw UsageException.invalidOption(
          "The share of chance is %s; it must be from 0 to 1".formatted(share));
    }
    return new Backoff(first, longest, 1 - share, factor);
  }

  /**
   * These pauses, each of them {@code times} as long as the one before.
   *
   * @throws UsageException if {@code times} is less than 1
   */
  public Backoff withFactor(double times) {
    if (!(times >= 1 && times <= 1_000)) {
      throw UsageException.invalidOption(
          "The factor between two pauses is %s; it must be from 1 to 1,000".formatted(times));
    }
    return new Backoff(first, longest, leastPart, times);
  }

  /** How long to wait after {@code failures} failures in a row; nothing for zero. */
  public Duration after(int failures, TimeSource time) {
    return after(failures, time.chance());
  }

  /** The same, with {@code chance} from 0 for the shortest to 1 for the longest pause. */
  public Duration after(int failures, double chance) {
    if (failures <= 0) {
      return Duration.ZERO;
    }
    double grown = first.toNanos() * Math.pow(factor, Math.min(failures - 1, GROWTHS_MAX));
    double cap = Math.min(grown, (double) longest.toNanos());
    return Duration.ofNanos((long) (cap * (leastPart + (1 - leastPart) * chance)));
  }

  /** Waits as {@link #after} says. */
  public void pause(int failures, TimeSource time) throws InterruptedException {
    Duration pause = after(failures, time);
    if (!pause.isZero()) {
      time.sleep(pause);
    }
  }
}
