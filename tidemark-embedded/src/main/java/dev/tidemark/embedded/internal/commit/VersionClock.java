package dev.tidemark.embedded.internal.commit;

import dev.tidemark.kv.TimeSource;

/**
 * The versions of commits: microseconds since 1970 by the machine's clock, each greater than the
 * one before.
 *
 * <p>Versions can be ahead of that clock: because it was set back, or because they come from
 * another store. They then go on by the steady clock, since leases, delays and retention are
 * compared with the time of versions, and would stand still with it until the clock has caught up.
 * They go a little slower than that, so that the clock does catch up. Not thread-safe.
 */
final class VersionClock {
  /**
   * The 128th part of the time is left out. A process that carries the time of the store on by its
   * own steady clock for a minute is ahead by less than half a second then.
   */
  private static final int SLOWER = 128;

  private final TimeSource time;
  private long last;

  /** A version and when it was given by the steady clock; later ones are counted from it. */
  private long base;

  private long baseNanos;

  /** Versions greater than {@code last}. */
  VersionClock(TimeSource time, long last) {
    this.time = time;
    this.last = last;
    this.base = last;
    this.baseNanos = time.nanos();
  }

  /** The version of the next group, greater than all before and than {@code behind}. */
  long next(long behind) {
    long nanos = time.nanos();
    long passed = Math.max(0, nanos - baseNanos) / 1_000;
    long carried = base + passed - passed / SLOWER;
    long least = Math.max(last, behind) + 1;
    last = Math.max(least, Math.max(carried, time.wallMicros()));
    if (last != carried) {
      base = last;
      baseNanos = nanos;
    }
    return last;
  }
}
