package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Transaction;
import java.util.function.Consumer;

/**
 * Ordered rows that change together: what a pool keeps its jobs in.
 *
 * <p>A transition of a job is one function over {@link Rows}. On Tidemark's store it runs in a
 * transaction. On Redis it reads, and one script carries out what it writes if nothing it read has
 * changed since; otherwise it runs again. So there is one text for each transition, whatever the
 * store, and nothing is decided on a stale copy.
 */
public interface RowStore extends AutoCloseable {
  /** A function over rows; may run several times and has no other effects. */
  @FunctionalInterface
  interface Body<T> {
    T apply(Rows rows);
  }

  /** Runs {@code body} and carries out its writes atomically; again if it lost a race. */
  <T> T transact(Body<T> body);

  /** Runs {@code body} over rows of one moment; it writes nothing. */
  <T> T read(Body<T> body);

  /** Rows whose writes happen when {@code tx} commits. */
  Rows in(Transaction tx);

  /**
   * Calls {@code listener} soon after a transition has called {@link Rows#wake} for {@code
   * channel}, and whenever such a call may have been missed. It hands over and returns at once.
   */
  AutoCloseable onWake(String channel, Consumer<String> listener);

  /** Ends the listeners. */
  @Override
  void close();
}
