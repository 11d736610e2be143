package dev.tidemark.remote.internal.client;

import java.util.ArrayDeque;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a scan that came before the last ones. There are no more of them than the scan asked for.
 */
final class RowParts {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final ArrayDeque<ReceivedReply.Rows> parts = new ArrayDeque<>();
  private boolean ended;

  void add(ReceivedReply.Rows part) {
    lock.lock();
    try {
      parts.add(part);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Says that none follow. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next part; null when there are no more. Waits at most {@code nanos}; {@link Long#MAX_VALUE}
   * is until the end.
   */
  ReceivedReply.@Nullable Rows next(long nanos) throws InterruptedException, TimeoutException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (parts.isEmpty() && !ended) {
        if (nanos == Long.MAX_VALUE) {
          changed.await();
        } else if (left <= 0) {
          throw new TimeoutException();
        } else {
          left = changed.awaitNanos(left);
        }
      }
      return parts.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the next part, or the end, is here already. */
  boolean isHere() {
    lock.lock();
    try {
      return ended || !parts.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
