package dev.tidemark.partitions.internal.operations;

import dev.tidemark.coordination.Leadership;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.StoreTime;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The writes of one leader's term. Each has the leader's row among its reads, so that none commits
 * after another manager was elected.
 *
 * @param database where the cluster is
 * @param rows the rows of the election
 * @param leadership the term
 * @param storeTime the store's time
 */
public record TermWrites(
    Database database, RowStore rows, Leadership leadership, StoreTime storeTime) {
  /** Runs {@code body} in a transaction of this term. */
  public <T> T write(Function<Transaction, T> body) {
    return database.transact(
        tx -> {
          leadership.check(rows.in(tx));
          return body.apply(tx);
        });
  }

  /** {@link #write} without a result. */
  public void run(Consumer<Transaction> body) {
    write(
        tx -> {
          body.accept(tx);
          return true;
        });
  }

  /** The store's time. */
  public Instant now() {
    return storeTime.now();
  }

  /** The store's time in microseconds. */
  public long nowMicros() {
    Instant now = now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }
}
