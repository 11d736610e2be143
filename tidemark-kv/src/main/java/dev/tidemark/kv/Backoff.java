package dev.tidemark.kv;

import java.time.Duration;

/**
 * Pauses between attempts: random, and longer the more attempts have failed. The longest possible
 * pause doubles with each failure up to a limit. Chance comes from the {@link TimeSource}, so that
 * a run with a seeded one replays.
 */
public final class Backoff {
  private static final int DOUBLINGS_MAX = 20;

  private final Duration first;
  private final Duration longest;
  private final double leastPart;

  private Backoff(Duration first, Duration longest, double leastPart) {
    this.first = first;
    this.longest = longest;
    this.leastPart = leastPart;
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
    return new Backoff(first, longest, 0);
  }

  /** These pauses, each at least half of the longest that is possible at its place. */
  public Backoff withAtLeastHalf() {
    return new Backoff(first, longest, 0.5);
  }

  /** How long to wait after {@code failures} failures in a row; nothing for zero. */
  public Duration after(int failures, TimeSource time) {
    if (failures <= 0) {
      return Duration.ZERO;
    }
    double doubled = Math.scalb((double) first.toNanos(), Math.min(failures - 1, DOUBLINGS_MAX));
    double cap = Math.min(doubled, (double) longest.toNanos());
    return Duration.ofNanos((long) (cap * (leastPart + (1 - leastPart) * time.chance())));
  }

  /** Waits as {@link #after} says. */
  public void pause(int failures, TimeSource time) throws InterruptedException {
    Duration pause = after(failures, time);
    if (!pause.isZero()) {
      time.sleep(pause);
    }
  }
}
