package dev.tidemark.records.internal.work;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.records.maintenance.BuildOptions;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Commits batches one after the other and finds out how large they can be: half as large after a
 * failure, a quarter larger after a success. Where the store knows priorities, batches give way to
 * transactions that someone waits for. Belongs to one thread.
 *
 * <p>A batch whose result is unknown is run again. That is right for batches that look for what is
 * still to be done in their own transaction, and only for those.
 */
public final class BatchLoop {
  private static final TransactionOptions GIVING_WAY =
      TransactionOptions.DEFAULTS.withPriority(TransactionOptions.Priority.BATCH);

  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;

  private final Database database;
  private final BuildOptions options;
  private int size;

  /** Told of batches that did not commit. */
  @FunctionalInterface
  public interface Failures {
    void failed(DatabaseException failure);
  }

  /** What to do in one transaction. */
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

  /** Runs {@code batch} until it commits, and tells {@code failures} of those that did not. */
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
                options.timePerTransaction().toNanos());
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
        pause(attempt, failure);
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

  private void pause(int earlier, DatabaseException failure) {
    long cap = Math.min(FIRST_PAUSE_NANOS << Math.min(earlier, 20), LONGEST_PAUSE_NANOS);
    try {
      database
          .time()
          .sleep(Duration.ofNanos(ThreadLocalRandom.current().nextLong(cap / 2, cap + 1)));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted between two attempts of a batch", failure);
    }
  }
}
