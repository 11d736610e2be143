package dev.tidemark.records.query;

import dev.tidemark.kv.Transaction;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * How a delete or an update by query goes through its records: in batches, each a transaction of
 * its own.
 *
 * @param rowsPerTransaction how many records a batch changes at most. Default 200. A batch that is
 *     too large for a transaction is tried again with half as many
 * @param timePerTransaction how long a batch looks for records; what it found by then is changed.
 *     Default one second
 * @param from where an earlier run of the same call stopped; empty for the beginning
 * @param inTransaction called in the transaction of each batch, after its changes and before its
 *     commit, with what will have been done after it. A continuation that is stored here is exactly
 *     as far as the changes are
 * @param afterCommit called after the commit of each batch. A run that ends between the two has
 *     done a batch that nobody was told of
 */
public record BulkOptions(
    int rowsPerTransaction,
    Duration timePerTransaction,
    Optional<Continuation> from,
    BiConsumer<Transaction, BulkProgress> inTransaction,
    Consumer<BulkProgress> afterCommit) {
  /** What applies where nothing else is said. */
  public static final BulkOptions DEFAULTS =
      new BulkOptions(
          200, Duration.ofSeconds(1), Optional.empty(), (tx, progress) -> {}, progress -> {});

  /** Refuses values that make no sense. */
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

  /** These options to go on from {@code continuation}. */
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
