package dev.tidemark.grpc.internal.frames;

import dev.tidemark.kv.TimeSource;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/*
 * A waiter registers first and then looks for the outcome; the thread with the outcome sets it
 * first and then looks for waiters. So no waiter is missed. There is nearly always one waiter: it
 * parks, and no object is made for it. All others wait at latches. A waiter that gives up stays
 * registered and may be woken without need, which threads that park have to expect anyway.
 */

/** An outcome that is set once, and the threads that wait for it. */
public final class OneOutcome<T> {
  /** Real time, not an injected clock: the threads that answer are real. */
  private static final TimeSource TIME = TimeSource.system();

  private final AtomicReference<@Nullable T> outcome = new AtomicReference<>();
  private final AtomicReference<@Nullable Thread> first = new AtomicReference<>();
  private final AtomicReference<@Nullable Latches> others = new AtomicReference<>();

  private static final class Latches extends ConcurrentLinkedQueue<CountDownLatch> {
    private static final long serialVersionUID = 1L;
  }

  /** Sets the outcome to {@code value}; only the first call counts. */
  public void complete(T value) {
    LockSupport.unpark(completeQuietly(value));
  }

  /** The same, but returns the thread that parks, if there is one, for the caller to wake. */
  public @Nullable Thread completeQuietly(T value) {
    if (!outcome.compareAndSet(null, value)) {
      return null;
    }
    Latches latches = others.get();
    if (latches != null) {
      latches.forEach(CountDownLatch::countDown);
    }
    return first.get();
  }

  /** The outcome; waits for it at most {@code nanos}, with {@link Long#MAX_VALUE} for ever. */
  public T await(long nanos) throws InterruptedException, TimeoutException {
    T come = outcome.get();
    if (come != null) {
      return come;
    }
    if (first.compareAndSet(null, Thread.currentThread())) {
      park(nanos);
    } else {
      awaitLatch(nanos);
    }
    return Objects.requireNonNull(outcome.get(), "the outcome has come");
  }

  private void park(long nanos) throws InterruptedException, TimeoutException {
    boolean forEver = nanos == Long.MAX_VALUE;
    long deadline = forEver ? 0 : TIME.nanos() + nanos;
    while (outcome.get() == null) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (forEver) {
        LockSupport.park(this);
        continue;
      }
      long left = deadline - TIME.nanos();
      if (left <= 0) {
        throw new TimeoutException();
      }
      LockSupport.parkNanos(this, left);
    }
  }

  private void awaitLatch(long nanos) throws InterruptedException, TimeoutException {
    CountDownLatch latch = new CountDownLatch(1);
    others.compareAndSet(null, new Latches());
    Objects.requireNonNull(others.get(), "latches are there").add(latch);
    if (outcome.get() == null && !latch.await(nanos, TimeUnit.NANOSECONDS)) {
      throw new TimeoutException();
    }
  }
}
