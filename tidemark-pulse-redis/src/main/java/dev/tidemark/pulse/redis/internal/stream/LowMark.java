package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When the low of a sink is moved: the place from which its group would go on, were it lost.
 *
 * <p>To find that place costs the server as much as an acknowledgement. So the low is moved with
 * some acknowledgements, and otherwise falls behind until the next look for events whose grace has
 * passed, or the end. A group that is lost meanwhile hands out some events once more; it never
 * passes over one.
 */
final class LowMark {
  private static final Duration MOVED_EVERY = Duration.ofMillis(100);

  private final TimeSource time;
  private final AtomicLong nextMove;
  private final AtomicBoolean behind = new AtomicBoolean();

  LowMark(TimeSource time) {
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
