package dev.tidemark.records.maintenance;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How {@link Migrations} run. */
public final class MigrationOptions {
  /** What applies where nothing else is said. */
  public static final MigrationOptions DEFAULTS =
      new MigrationOptions(1_000, Duration.ofSeconds(30), Duration.ZERO, progress -> {});

  private final int recordsPerTransaction;
  private final Duration lease;
  private final Duration patience;
  private final Consumer<MigrationProgress> listener;

  private MigrationOptions(
      int recordsPerTransaction,
      Duration lease,
      Duration patience,
      Consumer<MigrationProgress> listener) {
    if (recordsPerTransaction < 1 || !lease.isPositive() || patience.isNegative()) {
      throw UsageException.invalidOption(
          "recordsPerTransaction is %,d, lease %s, patience %s; the first two must be positive, the third not negative"
              .formatted(recordsPerTransaction, lease, patience));
    }
    this.recordsPerTransaction = recordsPerTransaction;
    this.lease = lease;
    this.patience = patience;
    this.listener = listener;
  }

  /**
   * Most records of one transaction. Default 1,000; after a conflict or a transaction that was too
   * large it takes fewer for a while.
   */
  public int recordsPerTransaction() {
    return recordsPerTransaction;
  }

  /**
   * How long a program that has stopped without a word keeps others from going on. Default 30
   * seconds; custom steps must not pause longer between two transactions.
   */
  public Duration lease() {
    return lease;
  }

  /** How long to wait for another program that migrates the same space. Default none. */
  public Duration patience() {
    return patience;
  }

  /**
   * Is shown the progress after each transaction, by the thread that migrates. What it throws ends
   * the run.
   */
  public Consumer<MigrationProgress> listener() {
    return listener;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MigrationOptions that
        && recordsPerTransaction == that.recordsPerTransaction
        && Objects.equals(lease, that.lease)
        && Objects.equals(patience, that.patience)
        && Objects.equals(listener, that.listener);
  }

  @Override
  public int hashCode() {
    return Objects.hash(recordsPerTransaction, lease, patience, listener);
  }

  @Override
  public String toString() {
    return "MigrationOptions["
        + "recordsPerTransaction="
        + recordsPerTransaction
        + ", lease="
        + lease
        + ", patience="
        + patience
        + ", listener="
        + listener
        + "]";
  }
}
