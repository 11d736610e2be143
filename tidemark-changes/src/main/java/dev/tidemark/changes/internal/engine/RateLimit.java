package dev.tidemark.changes.internal.engine;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Limits the records a second. A burst is at most a tenth of a second's worth. */
final class RateLimit {
  private static final double BURST_SECONDS = 0.1;

  private final double perSecond;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private double available;
  private long latest;

  /** A limit; 0 for none. */
  RateLimit(double perSecond, long nanos) {
    this.perSecond = perSecond;
    this.available = burst(perSecond);
    this.latest = nanos;
  }

  private static double burst(double perSecond) {
    return Math.max(1, perSecond * BURST_SECONDS);
  }

  /** Whether there is a limit at all. */
  boolean isLimited() {
    return perSecond > 0;
  }

  /** How long to wait before the next record; zero to read it now, which it then counts. */
  Duration reserve(long nanos) {
    if (perSecond == 0) {
      return Duration.ZERO;
    }
    lock.lock();
    try {
      available =
          Math.min(burst(perSecond), available + Math.max(0, nanos - latest) * perSecond / 1e9);
      latest = nanos;
      if (available >= 1) {
        available -= 1;
        return Duration.ZERO;
      }
      return Duration.ofNanos(Math.max(1, (long) ((1 - available) / perSecond * 1e9)));
    } finally {
      lock.unlock();
    }
  }

  /** Gives a reservation back that no record was read for. */
  void giveBack() {
    if (perSecond > 0) {
      lock.lock();
      try {
        available += 1;
      } finally {
        lock.unlock();
      }
    }
  }
}
