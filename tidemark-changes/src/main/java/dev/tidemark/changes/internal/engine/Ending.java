package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.EndReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** How a reader ended. The first reason stays. */
final class Ending {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  // Guarded by lock.
  private @Nullable EndReason reason;

  /** Gives the reason, unless there is one; whether it was the first. */
  boolean set(EndReason why) {
    lock.lock();
    try {
      if (reason != null) {
        return false;
      }
      reason = why;
      ended.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  Optional<EndReason> get() {
    lock.lock();
    try {
      return Optional.ofNullable(reason);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end, {@code time} at most. */
  Optional<EndReason> await(Duration time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = TimeUnit.NANOSECONDS.convert(time);
      while (reason == null && left > 0) {
        left = ended.awaitNanos(left);
      }
      return Optional.ofNullable(reason);
    } finally {
      lock.unlock();
    }
  }
}
