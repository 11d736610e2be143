package dev.tidemark.changes.internal.records;

import dev.tidemark.records.changes.ChangeLog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes the cursors of one log when the listener hears that something was committed to it. A cursor
 * notes the round before it reads and waits for another one only if it found nothing, so no commit
 * is missed.
 */
final class LogSignal {
  private final ChangeLog log;
  private final LogListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition fired = lock.newCondition();

  /** Changed under the lock, and read without it before each read of the log. */
  private final AtomicLong round = new AtomicLong();

  // Guarded by lock.
  private int cursors;

  /** A signal for {@code log} that nobody waits for yet. */
  LogSignal(ChangeLog log, LogListener listener) {
    this.log = log;
    this.listener = listener;
  }

  ChangeLog log() {
    return log;
  }

  /** A cursor has been opened. */
  void join() {
    lock.lock();
    try {
      if (cursors++ == 0) {
        listener.join(this);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A cursor was closed; after the last one nobody listens. */
  void leave() {
    lock.lock();
    try {
      if (--cursors == 0) {
        listener.leave(this);
      }
    } finally {
      lock.unlock();
    }
  }

  long round() {
    return round.get();
  }

  /** Waits until the round is another than {@code seen}, {@code wait} at most. */
  void await(long seen, Duration wait) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = wait.toNanos();
      while (round.get() == seen && left > 0) {
        left = fired.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes everybody. */
  void fire() {
    lock.lock();
    try {
      round.incrementAndGet();
      fired.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
