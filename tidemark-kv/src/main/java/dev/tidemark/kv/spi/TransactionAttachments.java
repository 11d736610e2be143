package dev.tidemark.kv.spi;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Transaction;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What layers attach to one transaction: their state, and their work before its commit.
 *
 * <p>Every transaction has one, and most use little of it, so it has nothing of its own until
 * something is attached.
 */
public final class TransactionAttachments {
  private static final AtomicReferenceFieldUpdater<TransactionAttachments, @Nullable State> STATES =
      AtomicReferenceFieldUpdater.newUpdater(TransactionAttachments.class, State.class, "states");

  /** The states, the latest first: a list, because there are few, and every transaction asks. */
  private volatile @Nullable State states;

  /** Guarded by this, and absent until something is added: most transactions have none. */
  private @Nullable Queue<Consumer<? super Transaction>> actions;

  private record State(AttachmentKey<?> key, Object value, @Nullable State next) {}

  /** Nothing yet. */
  public TransactionAttachments() {}

  /** The state that {@code key} names, made if it is not there. */
  public <T> T get(AttachmentKey<T> key) {
    State latest = states;
    T known = find(latest, key);
    return known == null ? attach(latest, key) : known;
  }

  @SuppressWarnings("unchecked") // Only initial() of the same key puts a value there.
  private static <T> @Nullable T find(@Nullable State latest, AttachmentKey<T> key) {
    for (State state = latest; state != null; state = state.next()) {
      if (state.key() == key) {
        return (T) state.value();
      }
    }
    return null;
  }

  /** Of two threads that make a state at once, one uses that of the other. */
  private <T> T attach(@Nullable State latest, AttachmentKey<T> key) {
    T made = key.initial();
    State before = latest;
    while (!STATES.compareAndSet(this, before, new State(key, made, before))) {
      before = states;
      T known = find(before, key);
      if (known != null) {
        return known;
      }
    }
    return made;
  }

  /** Adds {@code action} behind those that are there. */
  public synchronized void add(Consumer<? super Transaction> action) {
    if (actions == null) {
      actions = new ArrayDeque<>();
    }
    actions.add(action);
  }

  /** Runs the actions that have not run yet on {@code tx}, with those that they add. */
  public void run(Transaction tx) {
    for (Consumer<? super Transaction> next = poll(); next != null; next = poll()) {
      next.accept(tx);
    }
  }

  private synchronized @Nullable Consumer<? super Transaction> poll() {
    return actions == null ? null : actions.poll();
  }
}
