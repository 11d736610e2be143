package dev.tidemark.records.maintenance;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionBody;
import dev.tidemark.records.MigrationBusyException;
import dev.tidemark.records.RecordSpace;
import java.util.Optional;

/**
 * A step of {@link Migrations} that a program writes itself.
 *
 * <p>It may run several times, also after it has done a part of its work: a program can end at any
 * moment. It keeps its place with {@link Context#savePlace} in the transaction that does the work,
 * or does work that can be done twice.
 */
@FunctionalInterface
public interface MigrationStep {
  /** Does the work, in as many transactions as it takes. */
  void run(Context context);

  /** What a step works with. */
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

    /** What {@link #savePlace} stored last, by this run or an earlier one. */
    Optional<byte[]> place(Transaction tx);

    /** Stores in {@code tx} how far the step has come, in at most 10,000 bytes. */
    void savePlace(Transaction tx, byte[] place);
  }
}
