package dev.tidemark.records.query;

import dev.tidemark.kv.Transaction;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The options of a delete or an update by query, which processes its records in batches, each a
 * transaction of its own.
 *
 * @param rowsPerTransaction the largest number of records that a batch changes. Default 200. A
 *     batch that is too large for a transaction is retried with half as many
 * @param timePerTransaction how long a batch looks for records before it changes those that it has
 *     found. Default one second
 * @param from the continuation of an earlier run of the same call; empty for the beginning
 * @param inTransaction called in the transaction of each batch, after its changes and before its
 *     commit, with the progress as of that commit. A continuation that is stored here is exactly as
 *     far as the changes
 * @param afterCommit called after the commit of each batch. If a run ends between the two, this
 *     listener does not see the last batch
 */
public record BulkOptions(
    int rowsPerTransaction,
    Duration timePerTransaction,
    Optional<Continuation> from,
    BiConsumer<Transaction, BulkProgress> inTransaction,
    Consumer<BulkProgress> afterCommit) {
  /** The default options. */
  public static final BulkOptions DEFAULTS =
      new BulkOptions(
          200, Duration.ofSeconds(1), Optional.empty(), (tx, progress) -> {}, progress -> {});

  /** Checks the values. */
  public BulkOptions {
    if (rowsPerTransaction < 1 || timePerTransaction.isNegative() || timePerTransaction.isZero()) {
      throw new IllegalArgumentException(
          "rowsPerTransaction is %,d and timePerTransaction %s; both must be positive"
              .formatted(rowsPerTransaction, timePerTransaction));
    }
  }

  /** These options with other batches. */
  public BulkOptions withRowsPerTransaction(int rows) {
    return new BulkOptions(rows, timePerTransaction, from, inTransaction, afterCommit);
  }

  /** These options with another time to look for records. */
  public BulkOptions withTimePerTransaction(Duration time) {
    return new BulkOptions(rowsPerTransaction, time, from, inTransaction, afterCommit);
  }

  /** These options, resuming from {@code continuation}. */
  public BulkOptions from(Continuation continuation) {
    return new BulkOptions(
        rowsPerTransaction,
        timePerTransaction,
        Optional.of(continuation),
        inTransaction,
        afterCommit);
  }

  /** These options with {@code listener} called in the transaction of each batch. */
  public BulkOptions inTransaction(BiConsumer<Transaction, BulkProgress> listener) {
    return new BulkOptions(rowsPerTransaction, timePerTransaction, from, listener, afterCommit);
  }

  /** These options with {@code listener} called after the commit of each batch. */
  public BulkOptions afterCommit(Consumer<BulkProgress> listener) {
    return new BulkOptions(rowsPerTransaction, timePerTransaction, from, inTransaction, listener);
  }
}
