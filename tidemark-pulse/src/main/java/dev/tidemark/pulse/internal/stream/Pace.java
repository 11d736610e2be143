package dev.tidemark.pulse.internal.stream;

import java.time.Duration;

/**
 * How fast a consumer takes batches from a source. One that has taken full batches one after the
 * other, without a pause, will want the next one too: it is worth fetching in advance.
 *
 * <p>Guarded by the lock of its owner.
 */
final class Pace {
  private static final int FULL_BATCHES = 3;
  private static final Duration PAUSE_MAX = Duration.ofMillis(100);

  private final int full;
  private int inARow;
  private long tookAt;

  private Pace(int full) {
    this.full = full;
  }

  /** The pace of a consumer that takes batches of at most {@code size} events. */
  static Pace ofBatches(int size) {
    return new Pace(size);
  }

  /** A pace at which nothing is fetched before it is asked for. */
  static Pace alwaysSlow() {
    return new Pace(Integer.MAX_VALUE);
  }

  /** Notes that a caller that asked at {@code asked} took {@code events} events at {@code now}. */
  void took(int events, long asked, long now) {
    boolean paused = inARow > 0 && asked - tookAt > PAUSE_MAX.toNanos();
    if (events < full || paused) {
      inARow = 0;
    }
    if (events >= full) {
      inARow++;
    }
    tookAt = now;
  }

  /** Whether the next batch will be wanted soon. */
  boolean isFast() {
    return inARow >= FULL_BATCHES;
  }

  /** Notes that an early fetch found {@code events} events. */
  void found(int events) {
    if (events < full) {
      slowDown();
    }
  }

  /** Notes that something was fetched that nobody wanted. */
  void slowDown() {
    inARow = 0;
  }
}
