package dev.tidemark.records.query;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a delete or an update by query goes through its records: in batches, each a transaction of
 * its own.
 */
public final class BulkOptions {
  /** What applies where nothing else is said. */
  public static final BulkOptions DEFAULTS =
      new BulkOptions(
          200, Duration.ofSeconds(1), Optional.empty(), (tx, progress) -> {}, progress -> {});

  private final int rowsPerTransaction;
  private final Duration timePerTransaction;
  private final Optional<Continuation> from;
  private final BiConsumer<Transaction, BulkProgress> inTransaction;
  private final Consumer<BulkProgress> afterCommit;

  private BulkOptions(
      int rowsPerTransaction,
      Duration timePerTransaction,
      Optional<Continuation> from,
      BiConsumer<Transaction, BulkProgress> inTransaction,
      Consumer<BulkProgress> afterCommit) {
    if (rowsPerTransaction < 1 || timePerTransaction.isNegative() || timePerTransaction.isZero()) {
      throw UsageException.invalidOption(
          "rowsPerTransaction is %,d and timePerTransaction %s; both must be positive"
              .formatted(rowsPerTransaction, timePerTransaction));
    }
    this.rowsPerTransaction = rowsPerTransaction;
    this.timePerTransaction = timePerTransaction;
    this.from = from;
    this.inTransaction = inTransaction;
    this.afterCommit = afterCommit;
  }

  /**
   * How many records a batch changes at most. Default 200. A batch that is too large for a
   * transaction is tried again with half as many.
   */
  public int rowsPerTransaction() {
    return rowsPerTransaction;
  }

  /** How long a batch looks for records; what it found by then is changed. Default one second. */
  public Duration timePerTransaction() {
    return timePerTransaction;
  }

  /** Where an earlier run of the same call stopped; empty for the beginning. */
  public Optional<Continuation> from() {
    return from;
  }

  /**
   * Called in the transaction of each batch, after its changes and before its commit, with what
   * will have been done after it. A continuation that is stored here is exactly as far as the
   * changes are.
   */
  public BiConsumer<Transaction, BulkProgress> inTransaction() {
    return inTransaction;
  }

  /**
   * Called after the commit of each batch. A run that ends between the two has done a batch that
   * nobody was told of.
   */
  public Consumer<BulkProgress> afterCommit() {
    return afterCommit;
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
  public BulkOptions withFrom(Continuation continuation) {
    return new BulkOptions(
        rowsPerTransaction,
        timePerTransaction,
        Optional.of(continuation),
        inTransaction,
        afterCommit);
  }

  /** These options with {@code listener} called in the transaction of each batch. */
  public BulkOptions withInTransaction(BiConsumer<Transaction, BulkProgress> listener) {
    return new BulkOptions(rowsPerTransaction, timePerTransaction, from, listener, afterCommit);
  }

  /** These options with {@code listener} called after the commit of each batch. */
  public BulkOptions withAfterCommit(Consumer<BulkProgress> listener) {
    return new BulkOptions(rowsPerTransaction, timePerTransaction, from, inTransaction, listener);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BulkOptions that
        && rowsPerTransaction == that.rowsPerTransaction
        && Objects.equals(timePerTransaction, that.timePerTransaction)
        && Objects.equals(from, that.from)
        && Objects.equals(inTransaction, that.inTransaction)
        && Objects.equals(afterCommit, that.afterCommit);
  }

  @Override
  public int hashCode() {
    return Objects.hash(rowsPerTransaction, timePerTransaction, from, inTransaction, afterCommit);
  }

  @Override
  public String toString() {
    return "BulkOptions["
        + "rowsPerTransaction="
        + rowsPerTransaction
        + ", timePerTransaction="
        + timePerTransaction
        + ", from="
        + from
        + ", inTransaction="
        + inTransaction
        + ", afterCommit="
        + afterCommit
        + "]";
  }
}
