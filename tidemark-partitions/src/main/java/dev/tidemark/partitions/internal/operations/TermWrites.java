package dev.tidemark.partitions.internal.operations;

import dev.tidemark.coordination.Leadership;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.control.Outcomes;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The writes of one leader's term. Each has the leader's row among its reads, so that none commits
 * after another manager was elected.
 *
 * @param control where the control rows are
 * @param leadership the term
 */
public record TermWrites(Control control, Leadership leadership) {
  /** Begins the term in a store that does not have the leader's row. */
  public void begin() {
    if (!control.isJoined()) {
      database().run(tx -> outcomes().claim(tx, leadership.term()));
    }
  }

  /** Changes control rows in this term. */
  public <T> T write(Function<Rows, T> body) {
    if (control.isJoined()) {
      return database().transact(tx -> joined(tx, (same, rows) -> body.apply(rows)));
    }
    return control
        .rows()
        .transact(
            rows -> {
              leadership.check(rows);
              return body.apply(rows);
            });
  }

  private <T> T joined(Transaction tx, BiFunction<Transaction, Rows, T> body) {
    leadership.check(control.election().rows().in(tx));
    return body.apply(tx, control.rows().in(tx));
  }

  /** {@link #write} without a result. */
  public void run(Consumer<Rows> body) {
    write(
        rows -> {
          body.accept(rows);
          return true;
        });
  }

  /**
   * Changes the store in this term. The body may look at control rows; where they are elsewhere,
   * what it sees of them may have changed when the transaction commits.
   */
  public <T> T store(BiFunction<Transaction, Rows, T> body) {
    if (control.isJoined()) {
      return database().transact(tx -> joined(tx, body));
    }
    return database()
        .transact(
            tx -> {
              outcomes().check(tx, leadership.term());
              return control.rows().read(rows -> body.apply(tx, rows));
            });
  }

  /** The guards of operations in two steps. */
  Outcomes outcomes() {
    return new Outcomes(control.keys());
  }

  /** Reads control rows. */
  public <T> T read(RowStore.Body<T> body) {
    return control.rows().read(body);
  }

  /** Reads the store. */
  public <T> T readStore(Function<ReadTransaction, T> body) {
    return database().read(body::apply);
  }

  /** The store with ownership and logs. */
  public Database database() {
    return control.database();
  }

  /** The store's time. */
  public Instant now() {
    return control.storeTime().now();
  }

  /** The store's time in microseconds. */
  public long nowMicros() {
    Instant now = now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }
}
