package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Something that one thread waits for and another one completes, once. Completing never blocks, so
 * that waiting threads do not hold up the one that commits.
 *
 * @param <T> the result
 */
class Call<T> {
  private static final VarHandle RESULT;

  static {
    try {
      RESULT = MethodHandles.lookup().findVarHandle(Call.class, "result", Object.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** An end without a result. */
  private enum End {
    ABANDONED
  }

  private final TimeSource time;
  private final Thread waiter = Thread.currentThread();

  /** Null, then a value, a {@link PartitionException} or {@link End#ABANDONED}. */
  @SuppressWarnings("unused") // by its handle
  private volatile @Nullable Object result;

  Call(TimeSource time) {
    this.time = time;
  }

  /** Whether nobody waits any more. */
  final boolean isAbandoned() {
    return result == End.ABANDONED;
  }

  final boolean isDone() {
    return result != null;
  }

  final void complete(T value) {
    end(value);
  }

  final void fail(PartitionException failure) {
    end(failure);
  }

  private void end(Object outcome) {
    if (RESULT.compareAndSet(this, null, outcome)) {
      ended();
    }
  }

  /**
   * Called when the result is there: wakes the thread that waits. Calls that no thread waits for
   * tell a receiver instead.
   */
  void ended() {
    if (!waiter.equals(Thread.currentThread())) {
      LockSupport.unpark(waiter);
    }
  }

  /** The end, for {@link #ended}: a value, or a {@link PartitionException}. */
  final Object outcome() {
    return Objects.requireNonNull(result, "the call has ended");
  }

  /**
   * The result, when it is there.
   *
   * @throws PartitionException the failure, or TIMED_OUT if neither came within {@code timeout}
   */
  @SuppressWarnings("unchecked") // only complete puts a value in
  final T await(Duration timeout, String what) {
    Object outcome = result;
    if (outcome == null) {
      outcome = awaitEnd(timeout.toNanos());
    }
    if (outcome == End.ABANDONED) {
      throw new PartitionException(
          Reason.TIMED_OUT,
          "%s had no answer within %s; it may have been carried out".formatted(what, timeout));
    }
    if (outcome instanceof PartitionException failure) {
      throw failure;
    }
    return (T) outcome;
  }

  private Object awaitEnd(long nanos) {
    long deadline = time.nanos() + nanos;
    while (true) {
      Object outcome = result;
      if (outcome != null) {
        return outcome;
      }
      long left = deadline - time.nanos();
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        RESULT.compareAndSet(this, null, End.ABANDONED);
        return Objects.requireNonNull(result);
      }
      LockSupport.parkNanos(this, left);
    }
  }
}
