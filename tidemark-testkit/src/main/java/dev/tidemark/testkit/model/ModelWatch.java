package dev.tidemark.testkit.model;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.Watch;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A watch of the model. All its state is guarded by the lock of its database. */
final class ModelWatch implements Watch {
  private final ModelDatabase database;
  private final Condition ended;
  private final Key key;
  private final byte @Nullable [] seen;
  private boolean fired;
  private boolean closed;

  ModelWatch(ModelDatabase database, Key key, byte @Nullable [] seen) {
    this.database = database;
    this.ended = database.lock.newCondition();
    this.key = key;
    this.seen = seen;
  }

  Key key() {
    return key;
  }

  /** Fires if {@code value} is not the one that was seen. */
  void look(byte @Nullable [] value) {
    if (!Arrays.equals(seen, value)) {
      fired = true;
      ended.signalAll();
      database.forget(this);
    }
  }

  @Override
  public boolean await(Duration timeout) {
    long left = timeout.toNanos();
    database.lock.lock();
    try {
      while (!fired) {
        if (closed) {
          throw TransactionClosedException.cancelled(
              "The watch on " + key + " is closed, or its transaction was given up");
        }
        if (left <= 0) {
          return false;
        }
        left = ended.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted in a wait for " + key, interrupt);
    } finally {
      database.lock.unlock();
    }
  }

  @Override
  public boolean fired() {
    database.lock.lock();
    try {
      return fired;
    } finally {
      database.lock.unlock();
    }
  }

  @Override
  public void close() {
    database.lock.lock();
    try {
      closed = true;
      ended.signalAll();
      database.forget(this);
    } finally {
      database.lock.unlock();
    }
  }
}
