package dev.tidemark.embedded.internal.commit;

import dev.tidemark.kv.TimeSource;

/*
 * A version is the time of day, in microseconds, and never goes back. When the machine's clock is
 * set back, or versions were ahead of it from the beginning, as after a move from a cluster, they
 * cannot follow it. Nor may they stand still until it has caught up: leases, delays and deadlines of
 * the layers go by versions, and none would end for as long.
 *
 * So versions then go on with the steady clock, a little slower, until the time of day is theirs
 * again: an hour takes eleven days. Layers carry the store's time on by steady clocks of their own
 * between two readings, a minute at most, and must not notice the difference.
 */

/** Gives each group of commits its version. Not thread-safe. */
final class VersionClock {
  /** Versions ahead of the time of day lose one part in so many to it. */
  private static final long SLOWER_BY = 256;

  private final TimeSource time;

  /** The last version that did not come from the steady clock, and what that said then. */
  private long anchor;

  private long anchorNanos;

  /** A clock for the versions after {@code reached}. */
  VersionClock(TimeSource time, long reached) {
    this.time = time;
    this.anchor = reached;
    this.anchorNanos = time.nanos();
  }

  /** The next version, greater than {@code before}. */
  long after(long before) {
    long now = time.nanos();
    long passed = (now - anchorNanos) / 1_000;
    long steady = anchor + passed - passed / SLOWER_BY;
    long next = Math.max(before + 1, time.wallMicros());
    if (next > steady) {
      anchor = next;
      anchorNanos = now;
      return next;
    }
    return steady;
  }
}
