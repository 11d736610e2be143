package dev.tidemark.records.maintenance;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The options of {@link Migrations}.
 *
 * @param recordsPerTransaction the largest number of records of one transaction. Default 1,000;
 *     fewer for a while after a conflict or a transaction that was too large
 * @param lease how long a program that has crashed keeps others from migrating. Default 30 seconds;
 *     custom steps must not pause longer between two transactions
 * @param patience how long to wait for another program that migrates the same space. Default zero
 * @param listener gets the progress after each transaction, in the thread that migrates. An
 *     exception that it throws ends the run
 */
public record MigrationOptions(
    int recordsPerTransaction,
    Duration lease,
    Duration patience,
    Consumer<MigrationProgress> listener) {
  /** The default options. */
  public static final MigrationOptions DEFAULTS =
      new MigrationOptions(1_000, Duration.ofSeconds(30), Duration.ZERO, progress -> {});

  /** Checks the values. */
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

  /** These options with another time to wait for other programs. */
  public MigrationOptions withPatience(Duration time) {
    return new MigrationOptions(recordsPerTransaction, lease, time, listener);
  }

  /** These options with another listener. */
  public MigrationOptions withListener(Consumer<MigrationProgress> other) {
    return new MigrationOptions(recordsPerTransaction, lease, patience, other);
  }
}
