package dev.tidemark.coordination;

import dev.tidemark.kv.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Renews a lease three times in its length, however busy the process is. After a failure it tries
 * again sooner, until the lease is lost. It has a platform thread, so that work on virtual threads
 * cannot delay it.
 *
 * <p>An error does not end it while the lease lasts: it counts as a failure like any other.
 */
public final class Heartbeat implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.coordination");
  private static final int BEATS = 3;
  private static final int BEATS_AFTER_FAILURE = 10;

  private final HeldLease lease;
  private final Steps steps;
  private final Thread thread;
  private volatile boolean closed;

  /** What a heartbeat does for its owner. */
  public interface Steps {
    /** Renews the lease in the store; returns whether the holder still has it. */
    boolean renew();

    /** Called after every beat, including the beat that finds the lease lost. */
    void beaten();

    /** Called when a renewal threw {@code failure}; the next one follows soon. */
    void failed(Throwable failure);
  }

  /**
   * Begins to beat.
   *
   * @param name the name of the thread
   */
  public Heartbeat(String name, HeldLease lease, Steps steps) {
    this.lease = lease;
    this.steps = steps;
    this.thread = Threads.startDaemon(name, this::beat);
  }

  private void beat() {
    Duration pause = lease.length().dividedBy(BEATS);
    while (!closed && pause(lease.time(), pause) && !lease.isLost()) {
      pause = lease.length().dividedBy(renewed() ? BEATS : BEATS_AFTER_FAILURE);
      if (closed) {
        return;
      }
      safely(steps::beaten);
    }
    if (!closed) {
      safely(steps::beaten);
    }
  }

  /** Whether the renewal came to an end, good or bad. */
  private boolean renewed() {
    try {
      lease.renew(steps::renew);
      return true;
    } catch (Throwable failure) {
      if (!closed) {
        safely(() -> steps.failed(failure));
      }
      return false;
    }
  }

  private static void safely(Runnable step) {
    try {
      step.run();
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "A heartbeat goes on after a failure of its owner", failure);
    }
  }

  /** Waits; returns whether it was not interrupted. */
  private static boolean pause(TimeSource time, Duration duration) {
    try {
      time.sleep(duration);
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    Threads.end(thread);
  }
}
