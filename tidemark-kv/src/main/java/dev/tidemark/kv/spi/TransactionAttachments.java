package dev.tidemark.kv.spi;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Transaction;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What layers attach to one transaction: their state, and their work before its commit. */
public final class TransactionAttachments {
  private final ReentrantLock lock = new ReentrantLock();

  // Both are guarded by lock, and absent until something is attached: most transactions have none.
  private @Nullable Map<AttachmentKey<?>, Object> states;
  private @Nullable Queue<Consumer<? super Transaction>> actions;

  /** Nothing yet. */
  public TransactionAttachments() {}

  /** The state that {@code key} names, made if it is not there. */
  @SuppressWarnings("unchecked") // Only initial() of the same key puts a value there.
  public <T> T get(AttachmentKey<T> key) {
    lock.lock();
    try {
      if (states == null) {
        states = new HashMap<>();
      }
      return (T) states.computeIfAbsent(key, missing -> (Object) key.initial());
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
