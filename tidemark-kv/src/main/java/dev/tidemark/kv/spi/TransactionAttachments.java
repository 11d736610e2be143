package dev.tidemark.kv.spi;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Transaction;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What layers attach to one transaction: their state, and their work before its commit. */
public final class TransactionAttachments {
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * The states, the latest first: a list, because there are few, and every transaction asks. Only
   * the holder of lock adds to it.
   */
  private volatile @Nullable State states;

  /** Guarded by lock, and absent until something is added: most transactions have none. */
  private @Nullable Queue<Consumer<? super Transaction>> actions;

  private record State(AttachmentKey<?> key, Object value, @Nullable State next) {}

  /** Nothing yet. */
  public TransactionAttachments() {}

  /** The state that {@code key} names, made if it is not there. */
  @SuppressWarnings("unchecked") // Only initial() of the same key puts a value there.
  public <T> T get(AttachmentKey<T> key) {
    Object known = find(key);
    return known == null ? attach(key) : (T) known;
  }

  private @Nullable Object find(AttachmentKey<?> key) {
    for (State state = states; state != null; state = state.next()) {
      if (state.key() == key) {
        return state.value();
      }
    }
    return null;
  }

  @SuppressWarnings("unchecked") // as above
  private <T> T attach(AttachmentKey<T> key) {
    lock.lock();
    try {
      Object known = find(key); // Another thread may have been here first.
      if (known == null) {
        known = key.initial();
        states = new State(key, known, states);
      }
      return (T) known;
    } finally {
      lock.unlock();
    }
  }

  /** Adds {@code action} behind those that are there. */
  public void add(Consumer<? super Transaction> action) {
    lock.lock();
    try {
      if (actions == null) {
        actions = new ArrayDeque<>();
      }
      actions.add(action);
    } finally {
      lock.unlock();
    }
  }

  /** Runs the actions that have not run yet on {@code tx}, with those that they add. */
  public void run(Transaction tx) {
    for (Consumer<? super Transaction> next = poll(); next != null; next = poll()) {
      next.accept(tx);
    }
  }

  private @Nullable Consumer<? super Transaction> poll() {
    lock.lock();
    try {
      return actions == null ? null : actions.poll();
    } finally {
      lock.unlock();
    }
  }
}
