package dev.tidemark.kv.spi;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.Watch;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A watch on one key, from the moment it is asked for to the moment it fires or is closed. */
public final class KeyWatch implements Watch {
  private final Key key;
  private final SeenValue seen;
  private final Consumer<KeyWatch> onEnd;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private volatile @Nullable DatabaseException failure;

  private enum State {
    OPEN,
    FIRED,
    CLOSED
  }

  /**
   * A watch that fires when {@code key} has another value than {@code seen}; {@code onEnd} is
   * called once, when it fires or is closed.
   */
  public KeyWatch(Key key, byte @Nullable [] seen, Consumer<KeyWatch> onEnd) {
    this.key = key;
    this.seen = SeenValue.of(seen);
    this.onEnd = onEnd;
  }

  /** The key. */
  public Key key() {
    return key;
  }

  /** Fires if {@code value}, which the key has now, is not the one that was seen. */
  public void check(byte @Nullable [] value) {
    check(SeenValue.of(value));
  }

  /** Fires if {@code value}, which the key has now, is not the one that was seen. */
  public void check(SeenValue value) {
    if (!seen.equals(value)) {
      fire();
    }
  }

  /** Fires. */
  public void fire() {
    end(State.FIRED);
  }

  @Override
  public boolean await(Duration timeout) {
    try {
      ended.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while waiting for a change of " + key, interrupt);
    }
    if (state.get() == State.CLOSED) {
      DatabaseException why = failure;
      throw why != null
          ? why
          : TransactionClosedException.cancelled(
              "The watch on " + key + " is closed, or its transaction or database is");
    }
    return fired();
  }

  /** Whether the watch has neither fired nor been closed. */
  public boolean isOpen() {
    return state.get() == State.OPEN;
  }

  @Override
  public boolean fired() {
    return state.get() == State.FIRED;
  }

  @Override
  public void close() {
    end(State.CLOSED);
  }

  /** Closes the watch; a thread that waits for it gets {@code why}. */
  public void fail(DatabaseException why) {
    failure = why;
    close();
  }

  private void end(State how) {
    if (state.compareAndSet(State.OPEN, how)) {
      try {
        // Before the waiter wakes up: it may need the place of this watch for its next one.
        onEnd.accept(this);
      } finally {
        ended.countDown();
      }
    }
  }
}
