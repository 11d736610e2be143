package dev.tidemark.remote.internal.server;

import dev.tidemark.remote.ClientLimits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one session that are at work on other threads than gRPC's, and the frame from
 * which more are taken.
 */
final class WorkUnderWay {
  private final ClientLimits limits;
  private final Runnable onEnd;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /** Bytes of the frame that is not yet at its end; zero without one. */
  private final AtomicLong frameBytes = new AtomicLong();

  /** The thread that waits for room; null without one. */
  private volatile @Nullable Thread waiting;

  private volatile boolean closed;

  /** Counts nothing yet; {@code onEnd} is called whenever some of it has ended. */
  WorkUnderWay(ClientLimits limits, Runnable onEnd) {
    this.limits = limits;
    this.onEnd = onEnd;
  }

  boolean isEmpty() {
    return requests.get() == 0 && frameBytes.get() == 0;
  }

  /** Bytes of all of them, and of the frame. */
  long bytes() {
    return bytes.get() + frameBytes.get();
  }

  /** Whether there may be more requests. */
  boolean hasRoom() {
    return requests.get() < limits.requests() && bytes.get() < limits.bytes();
  }

  /** Whether half of the limit is free again. */
  private boolean hasMuchRoom() {
    return requests.get() <= limits.requests() / 2 && bytes.get() <= limits.bytes() / 2;
  }

  /** Counts a request of {@code size} bytes until the returned action runs. */
  Runnable begin(int size) {
    requests.incrementAndGet();
    bytes.addAndGet(size);
    return () -> {
      requests.decrementAndGet();
      bytes.addAndGet(-size);
      wake();
      onEnd.run();
    };
  }

  /** Counts a frame of {@code size} bytes, from which requests are taken, likewise. */
  Runnable beginFrame(int size) {
    frameBytes.addAndGet(size);
    return () -> {
      frameBytes.addAndGet(-size);
      onEnd.run();
    };
  }

  /**
   * Waits until many requests have ended, or the session has. Not for one: a thread that woke up
   * for each would begin commits one by one. Used by one thread at a time.
   */
  void awaitRoom() {
    waiting = Thread.currentThread();
    while (!closed && !hasMuchRoom()) {
      LockSupport.park(this);
    }
    waiting = null;
  }

  private void wake() {
    Thread waiter = waiting;
    if (waiter != null && hasMuchRoom()) {
      LockSupport.unpark(waiter);
    }
  }

  /** Ends all waits for room. */
  void close() {
    closed = true;
    Thread waiter = waiting;
    if (waiter != null) {
      LockSupport.unpark(waiter);
    }
  }
}
