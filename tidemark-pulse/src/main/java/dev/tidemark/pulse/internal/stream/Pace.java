package dev.tidemark.pulse.internal.stream;

import java.time.Duration;

/**
 * How somebody takes batches from a source. Who has taken one full batch after the other, without a
 * pause, will want the next one too: it is worth fetching before it is asked for.
 *
 * <p>Guarded by the lock of whoever has it.
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

  /** The pace of one who takes batches of at most {@code size} events. */
  static Pace ofBatches(int size) {
    return new Pace(size);
  }

  /** A pace at which nothing is fetched before it is asked for. */
  static Pace alwaysSlow() {
    return new Pace(Integer.MAX_VALUE);
  }

  /** Notes that {@code events} were taken now, by somebody who asked for them at {@code asked}. */
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

  /** Notes that {@code events} were found by one who fetched early. */
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
