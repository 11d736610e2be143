package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides when the low-water mark of a sink is moved: the position from which its group would go on
 * if it were lost.
 *
 * <p>Finding that position costs the server as much as an acknowledgement. So the mark is moved
 * with some acknowledgements, and otherwise lags until the next look for events whose grace has
 * passed, or until the close. A group that is lost meanwhile delivers some events again; it never
 * skips one.
 */
final class LowWaterMark {
  private static final Duration MOVED_EVERY = Duration.ofMillis(100);

  private final TimeSource time;
  private final AtomicLong nextMove;
  private final AtomicBoolean behind = new AtomicBoolean();

  LowWaterMark(TimeSource time) {
    this.time = time;
    this.nextMove = new AtomicLong(time.nanos());
  }

  /** Whether the acknowledgement that is next moves the low, which then counts as moved. */
  boolean isTimeToMove() {
    long now = time.nanos();
    long next = nextMove.get();
    return now - next >= 0 && nextMove.compareAndSet(next, now + MOVED_EVERY.toNanos());
  }

  /** Notes that events were acknowledged without moving the low. */
  void fallBehind() {
    behind.set(true);
  }

  /** Whether the low is behind and to be moved now, which then counts as done. */
  boolean catchUp() {
    return behind.getAndSet(false);
  }
}
