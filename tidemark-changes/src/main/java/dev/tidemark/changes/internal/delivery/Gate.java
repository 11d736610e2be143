package dev.tidemark.changes.internal.delivery;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Whether the program may be called: not while the reader is paused, and never after its stop. */
public final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile boolean paused;
  private volatile boolean shut;

  /** Whether a handler may be called now. */
  public boolean isOpen() {
    return !paused && !shut;
  }

  /** Waits for the end of a pause; whether a handler may be called then. */
  boolean awaitOpen() throws InterruptedException {
    if (isOpen()) {
      return true;
    }
    lock.lockInterruptibly();
    try {
      while (paused && !shut) {
        changed.await();
      }
      return !shut;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end of a pause, {@code nanos} at most; whether a handler may be called now. */
  boolean awaitOpen(long nanos) throws InterruptedException {
    if (isOpen()) {
      return true;
    }
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (paused && !shut && left > 0) {
        left = changed.awaitNanos(left);
      }
      return isOpen();
    } finally {
      lock.unlock();
    }
  }

  /** Stops calls until {@link #resume}. */
  public void pause() {
    set(true, shut);
  }

  /** Ends a pause. */
  public void resume() {
    set(false, shut);
  }

  /** Stops calls for good. */
  public void shut() {
    set(paused, true);
  }

  private void set(boolean pausedNow, boolean shutNow) {
    lock.lock();
    try {
      paused = pausedNow;
      shut |= shutNow;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether calls have been stopped for good. */
  public boolean isShut() {
    return shut;
  }
}
