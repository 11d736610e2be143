package dev.tidemark.foundationdb.internal.cluster;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTimedOutException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** The state of a transaction, and its answer to calls after its end. */
final class Lifecycle {
  private final Duration timeout;
  private final TimeSource time;
  private final long startNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.ACTIVE);

  private enum State {
    ACTIVE,
    COMMITTING,
    COMMITTED,
    FAILED,
    CLOSED
  }

  /** Of a transaction that begins now and takes {@code timeout} at most; zero for no limit. */
  Lifecycle(Duration timeout, TimeSource time) {
    this.timeout = timeout;
    this.time = time;
    this.startNanos = timeout.isZero() ? 0 : time.nanos();
  }

  boolean isActive() {
    return state.get() == State.ACTIVE;
  }

  /** Throws unless the transaction takes reads and writes. */
  void checkActive() {
    switch (state.get()) {
      case ACTIVE -> {}
      case COMMITTING, COMMITTED ->
          throw TransactionClosedException.committed(
              "The transaction is committed or being committed; begin a new one for further work");
      case FAILED ->
          throw TransactionClosedException.committed(
              "The commit of this transaction failed; begin a new one to try again");
      case CLOSED ->
          throw TransactionClosedException.cancelled(
              "The transaction is cancelled or closed; begin a new one");
    }
    if (!timeout.isZero() && time.nanos() - startNanos >= timeout.toNanos()) {
      throw new TransactionTimedOutException(
          "The transaction has taken longer than its timeout of " + timeout, false);
    }
  }

  /** A commit begins; from here on only its end ends the transaction. */
  void startCommit() {
    if (!state.compareAndSet(State.ACTIVE, State.COMMITTING)) {
      checkActive();
    }
  }

  void endCommit(boolean committed) {
    state.set(committed ? State.COMMITTED : State.FAILED);
  }

  /** Ends the transaction without a commit; false if it has ended or is being committed. */
  boolean giveUp() {
    return state.compareAndSet(State.ACTIVE, State.CLOSED);
  }

  @Override
  public String toString() {
    return state.get().name().toLowerCase(Locale.ROOT);
  }
}
