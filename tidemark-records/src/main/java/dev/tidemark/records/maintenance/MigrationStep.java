package dev.tidemark.records.maintenance;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionBody;
import dev.tidemark.records.MigrationBusyException;
import dev.tidemark.records.RecordSpace;
import java.util.Optional;

/**
 * A custom step of {@link Migrations}.
 *
 * <p>It may run several times, even after a part of its work is done, because a program can end at
 * any moment. So it saves its position with {@link Context#savePlace} in the transaction that does
 * the work, or its work is idempotent.
 */
@FunctionalInterface
public interface MigrationStep {
  /** Does the work, in as many transactions as needed. */
  void run(Context context);

  /** The context of a step. */
  interface Context {
    /** The space that is migrated. */
    RecordSpace space();

    /**
     * Runs {@code body} in a transaction that commits only while no other program migrates the
     * space. As with {@link dev.tidemark.kv.Database#transact}, it may run several times.
     *
     * @throws MigrationBusyException if another program has taken over
     */
    <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X;

    /** The position that {@link #savePlace} stored last, in this run or an earlier one. */
    Optional<byte[]> place(Transaction tx);

    /** Stores the position of the step in {@code tx}, in at most 10,000 bytes. */
    void savePlace(Transaction tx, byte[] place);
  }
}
