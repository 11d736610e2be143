package dev.tidemark.pulse.internal.map;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.internal.spi.MapStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The position up to which the copy of a map has been brought, for callers that wait for it. */
final class CopyPosition {
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();

  // Guarded by lock.
  private MapStore.@Nullable Position position;
  private boolean closed;

  /** How a wait ended. */
  enum Waited {
    REACHED,
    TIMED_OUT,
    CLOSED
  }

  CopyPosition(TimeSource time) {
    this.time = time;
  }

  void move(MapStore.Position to) {
    lock.lock();
    try {
      position = to;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the copy is at {@code wanted} or behind it. */
  Waited await(MapStore.Position wanted, Duration timeout) {
    long end = time.nanos() + TimeUnit.NANOSECONDS.convert(timeout);
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException interrupt) {
      throw interrupted(interrupt);
    }
    try {
      while (position == null || position.compareTo(wanted) < 0) {
        long left = end - time.nanos();
        if (closed || left <= 0) {
          return closed ? Waited.CLOSED : Waited.TIMED_OUT;
        }
        long unused = moved.awaitNanos(left);
      }
      return Waited.REACHED;
    } catch (InterruptedException interrupt) {
      throw interrupted(interrupt);
    } finally {
      lock.unlock();
    }
  }

  private static InterruptedOperationException interrupted(InterruptedException interrupt) {
    Thread.currentThread().interrupt();
    return new InterruptedOperationException(
        "Interrupted while waiting for the copy of a map; the write has happened", interrupt);
  }
}
