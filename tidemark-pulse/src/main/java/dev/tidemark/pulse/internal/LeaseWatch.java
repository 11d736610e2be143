package dev.tidemark.pulse.internal;

/**
 * Waits for the end of a node's lease by the clock of this process. It asks the store for nothing,
 * so that jobs which others may have by now are stopped even while no call of the store returns.
 */
final class LeaseWatch implements AutoCloseable {
  private final NodeLife life;
  private final Runnable onLost;
  private final Thread thread;
  private volatile boolean closed;

  /** Whether the thread pauses, and may be interrupted. Guarded by this. */
  private boolean waiting;

  /**
   * Begins to watch.
   *
   * @param onLost called once when the lease is lost
   */
  LeaseWatch(NodeLife life, Runnable onLost) {
    this.life = life;
    this.onLost = onLost;
    this.thread = Threads.startDaemon("pulse-lease-" + life.id(), this::watch);
  }

  private void watch() {
    while (!closed && !life.isLost()) {
      pause();
    }
    if (!closed) {
      onLost.run();
    }
  }

  private void pause() {
    synchronized (this) {
      waiting = true;
    }
    if (!closed && !life.isLost()) {
      life.core().pause(life.leaseLeft());
    }
    synchronized (this) {
      waiting = false;
      Thread.interrupted(); // meant to end the pause
    }
  }

  /** Has it look now, because the store says that the lease is lost. */
  synchronized void look() {
    if (waiting) {
      thread.interrupt();
    }
  }

  /** Waits until all that follows from the loss is done. */
  void awaitEnd() {
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
