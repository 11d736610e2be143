package dev.tidemark.embedded.internal.commit;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitListener;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queued commit, with the thread that waits for it or the listener of its outcome. */
final class PendingCommit {
  final PreparedCommit prepared;
  private final @Nullable Thread waiter;
  private final @Nullable CommitListener listener;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.QUEUED);

  // Written by the committer before it sets Stage.DONE.
  private Commit.@Nullable Position position;
  private @Nullable Supplier<DatabaseException> failure;

  private enum Stage {
    /** Queued; the waiter may still withdraw it. */
    QUEUED,
    /** Taken by the committer; it can no longer be withdrawn. */
    TAKEN,
    WITHDRAWN,
    DONE
  }

  private PendingCommit(
      PreparedCommit prepared, @Nullable Thread waiter, @Nullable CommitListener listener) {
    this.prepared = prepared;
    this.waiter = waiter;
    this.listener = listener;
  }

  /** A commit that the calling thread waits for. */
  static PendingCommit awaited(PreparedCommit prepared) {
    return new PendingCommit(prepared, Thread.currentThread(), null);
  }

  /** A commit whose outcome {@code listener} gets. */
  static PendingCommit told(PreparedCommit prepared, CommitListener listener) {
    return new PendingCommit(prepared, null, listener);
  }

  /** Whether a listener gets its outcome, and no thread waits for it. */
  boolean isTold() {
    return listener != null;
  }

  /** Takes it for the committer; false if it was withdrawn. */
  boolean take() {
    return stage.compareAndSet(Stage.QUEUED, Stage.TAKEN);
  }

  void succeed(long version, int batch) {
    position = new Commit.Position(version, batch);
  }

  /** Ends the commit; the waiting thread or the listener calls {@code why} for the failure. */
  void fail(Supplier<DatabaseException> why) {
    failure = why;
  }

  boolean failed() {
    return failure != null;
  }

  /** Delivers the outcome. */
  void wake() {
    stage.set(Stage.DONE);
    if (listener == null) {
      LockSupport.unpark(waiter);
    } else {
      guard(() -> tell(listener));
    }
  }

  /** Tells a listener that all outcomes of its group were delivered. */
  void allAwake() {
    if (listener != null) {
      guard(listener::allTold);
    }
  }

  /** A listener that fails does not keep others from their outcomes. */
  private static void guard(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | Error failure) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }
  }

  private void tell(CommitListener told) {
    if (failure != null) {
      told.failed(failure);
    } else if (position == null) {
      told.failed(PendingCommit::withoutResult);
    } else {
      told.committed(position);
    }
  }

  /** Waits for the outcome, and at most {@code nanos} until the committer takes it. */
  Commit.Position await(long nanos) {
    boolean interrupted = false;
    long start = nanos == Long.MAX_VALUE ? 0 : System.nanoTime();
    while (stage.get() != Stage.DONE) {
      if (nanos == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else {
        long left = nanos - (System.nanoTime() - start);
        if (left > 0) {
          LockSupport.parkNanos(this, left);
        } else if (withdraw()) {
          throw new TransactionTimedOutException(
              "The timeout was over before the commit began; nothing was written", false);
        } else {
          LockSupport.park(this);
        }
      }
      if (Thread.interrupted()) {
        interrupted = true;
        if (withdraw()) {
          Thread.currentThread().interrupt();
          throw new InterruptedOperationException(
              "Interrupted before the commit began; nothing was written", null);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return result();
  }

  private boolean withdraw() {
    return stage.compareAndSet(Stage.QUEUED, Stage.WITHDRAWN);
  }

  /** The result, once it is there. */
  Commit.Position result() {
    if (failure != null) {
      throw failure.get();
    }
    if (position == null) {
      throw withoutResult();
    }
    return position;
  }

  private static StorageException withoutResult() {
    return new StorageException(
        StorageException.Kind.IO_ERROR,
        "The committer failed before the commit had a result; look at its stack trace",
        true,
        null);
  }
}
