package dev.tidemark.records.maintenance;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How {@link Migrations} run.
 *
 * @param recordsPerTransaction most records of one transaction. Default 1,000; after a conflict or
 *     a transaction that was too large it takes fewer for a while
 * @param lease how long a program that has stopped without a word keeps others from going on.
 *     Default 30 seconds; custom steps must not pause longer between two transactions
 * @param patience how long to wait for another program that migrates the same space. Default none
 * @param listener is shown the progress after each transaction, by the thread that migrates. What
 *     it throws ends the run
 */
public record MigrationOptions(
    int recordsPerTransaction,
    Duration lease,
    Duration patience,
    Consumer<MigrationProgress> listener) {
  /** What applies where nothing else is said. */
  public static final MigrationOptions DEFAULTS =
      new MigrationOptions(1_000, Duration.ofSeconds(30), Duration.ZERO, progress -> {});

  /** Refuses values that make no sense. */
  public MigrationOptions {
    if (recordsPerTransaction < 1 || !lease.isPositive() || patience.isNegative()) {
      throw new IllegalArgumentException(
          "recordsPerTransaction is %,d, lease %s, patience %s; the first two must be positive, the third not negative"
              .formatted(recordsPerTransaction, lease, patience));
    }
  }

  /** These options with another number of records a transaction. */
  public MigrationOptions withRecordsPerTransaction(int records) {
    return new MigrationOptions(records, lease, patience, listener);
  }

  /** These options with another lease. */
  public MigrationOptions withLease(Duration time) {
    return new MigrationOptions(recordsPerTransaction, time, patience, listener);
  }

  /** These options with another wait for other programs. */
  public MigrationOptions withPatience(Duration time) {
    return new MigrationOptions(recordsPerTransaction, lease, time, listener);
  }

  /** These options with another listener. */
  public MigrationOptions withListener(Consumer<MigrationProgress> other) {
    return new MigrationOptions(recordsPerTransaction, lease, patience, other);
  }
}
