package dev.tidemark.coordination;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits for the end of a lease by the clock of this process. It does not call the store, so that
 * work which another process may have taken over is stopped even while the store does not answer.
 */
public final class LeaseWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.coordination");

  private final HeldLease lease;
  private final Runnable onLost;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean closed;

  /** Whether the thread pauses, and may be interrupted. Guarded by lock. */
  private boolean waiting;

  /**
   * Begins to watch.
   *
   * @param name the name of the thread
   * @param onLost called once when the lease is lost
   */
  public LeaseWatch(String name, HeldLease lease, Runnable onLost) {
    this.lease = lease;
    this.onLost = onLost;
    this.thread = Threads.startDaemon(name, this::watch);
  }

  private void watch() {
    while (!closed && !lease.isLost()) {
      pause();
    }
    if (closed) {
      return;
    }
    try {
      onLost.run();
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "A lease was lost, and what was to follow failed", failure);
    }
  }

  private void pause() {
    setWaiting(true);
    try {
      if (!closed && !lease.isLost()) {
        lease.time().sleep(lease.left());
      }
    } catch (InterruptedException look) {
      // Meant to end the pause.
    }
    setWaiting(false);
  }

  private void setWaiting(boolean now) {
    lock.lock();
    try {
      waiting = now;
      if (!now) {
        Thread.interrupted(); // meant for the pause, which has ended
      }
    } finally {
      lock.unlock();
    }
  }

  /** Checks the lease now, because the store says that it is lost. */
  public void look() {
    lock.lock();
    try {
      if (waiting) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the listener of the loss has returned. */
  public void awaitEnd() {
    try {
      thread.join();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    Threads.end(thread);
  }
}
