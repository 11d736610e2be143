package dev.tidemark.records.internal.work;

import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.records.maintenance.BuildOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Commits batches one after the other and adapts their size: half as large after a failure, a
 * quarter larger after a success. Batches have the low priority of the store, if it has priorities.
 * Used by one thread.
 *
 * <p>A batch whose commit result is unknown is run again. This is safe only for batches that find
 * the remaining work in their own transaction.
 */
public final class BatchLoop {
  private static final TransactionOptions GIVING_WAY =
      TransactionOptions.DEFAULTS.withPriority(TransactionOptions.Priority.BATCH);

  private static final Backoff BACKOFF =
      Backoff.of(Duration.ofMillis(1), Duration.ofMillis(50)).withAtLeastHalf();

  private final Database database;
  private final BuildOptions options;
  private int size;

  /** Gets the failures of batches that did not commit. */
  @FunctionalInterface
  public interface Failures {
    void failed(DatabaseException failure);
  }

  /** The work of one transaction. */
  @FunctionalInterface
  public interface Batch<T> {
    T run(Transaction tx, Allowance allowance);
  }

  public BatchLoop(Database database, BuildOptions options) {
    this.database = database;
    this.options = options;
    this.size = options.recordsPerTransaction();
  }

  /** Runs {@code batch} until it commits. */
  public <T> T commit(Batch<T> batch) {
    return commit(batch, failure -> {});
  }

  /** Runs {@code batch} until it commits, and reports attempts that did not to {@code failures}. */
  public <T> T commit(Batch<T> batch, Failures failures) {
    for (int attempt = 0; ; attempt++) {
      int records = size;
      try (Transaction tx = database.begin(GIVING_WAY)) {
        Allowance allowance =
            new Allowance(
                tx,
                database.time(),
                records,
                options.bytesPerTransaction(),
                TimeUnit.NANOSECONDS.convert(options.timePerTransaction()));
        T result = batch.run(tx, allowance);
        records = Math.clamp(allowance.spentRecords(), 1, records);
        tx.commit();
        grow();
        return result;
      } catch (DatabaseException failure) {
        failures.failed(failure);
        if (!isWorthAnotherTry(failure, records) || attempt == options.retriesMax()) {
          throw failure;
        }
        size = Math.max(1, records / 2);
        pause(attempt + 1, failure);
      }
    }
  }

  private void grow() {
    size = Math.min(options.recordsPerTransaction(), size + Math.max(1, size / 4));
  }

  private static boolean isWorthAnotherTry(DatabaseException failure, int records) {
    return failure.retryable()
        || failure.maybeCommitted()
        || (failure instanceof LimitExceededException && records > 1);
  }

  private void pause(int failures, DatabaseException failure) {
    try {
      BACKOFF.pause(failures, database.time());
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted between two attempts of a batch", failure);
    }
  }
}
