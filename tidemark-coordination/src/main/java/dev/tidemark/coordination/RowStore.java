package dev.tidemark.coordination;

import dev.tidemark.coordination.internal.KvRowStore;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import java.util.function.Consumer;

/**
 * Ordered rows that change together, on any store: the state that several processes share.
 *
 * <p>A transition is one function over {@link Rows}. On Tidemark's store it runs in a transaction.
 * On Redis it reads, and one script carries out what it writes if nothing it read has changed
 * since; otherwise it runs again. So there is one text for each transition, whatever the store, and
 * nothing is decided on a stale copy.
 */
public interface RowStore extends AutoCloseable {
  /**
   * Rows in a subspace of Tidemark's store, which its owner closes. A transition is a transaction,
   * a wake-up a watch.
   */
  static RowStore in(Database database, Subspace home) {
    return new KvRowStore(database, home.sub("r"), home.sub("w"));
  }

  /**
   * The same for rows directly below {@code rows}, beside other keys of the layer.
   *
   * @param wakes where the wake-ups are counted
   */
  static RowStore in(Database database, Subspace rows, Subspace wakes) {
    return new KvRowStore(database, rows, wakes);
  }

  /** What a wake-up without a hint hands to its listeners. */
  byte[] NO_HINT = {};

  /** A function over rows; may run several times and has no other effects. */
  @FunctionalInterface
  interface Body<T> {
    T apply(Rows rows);
  }

  /** A function over rows and the transaction that they are of; may run several times. */
  @FunctionalInterface
  interface JoinedBody<T> {
    T apply(Transaction tx, Rows rows) throws Exception;
  }

  /**
   * Runs {@code body} and makes its writes atomically; runs it again after a conflict. A body that
   * throws writes nothing.
   */
  <T> T transact(Body<T> body);

  /**
   * As {@link #transact}, for a body that also writes keys outside these rows.
   *
   * @throws Exception what the body threw
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  <T> T transactJoined(JoinedBody<T> body) throws Exception;

  /**
   * Runs {@code body}, which writes nothing. Each call on its rows sees one moment; on a store with
   * transactions all of them see the same.
   */
  <T> T read(Body<T> body);

  /**
   * Rows whose writes happen when {@code tx} commits.
   *
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  Rows in(Transaction tx);

  /**
   * Calls {@code listener} once at the beginning, soon after a transition has called {@link
   * Rows#wake} for {@code channel}, and whenever such a call may have been missed. It gets the
   * hint, or {@link #NO_HINT} if it has to read the rows. It passes the work on and returns at
   * once.
   *
   * @return ends the listener when closed
   */
  Listening onWake(String channel, Consumer<byte[]> listener);

  /** Ends the listeners. */
  @Override
  void close();

  /** A listener that is called until this is closed. */
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }
}
