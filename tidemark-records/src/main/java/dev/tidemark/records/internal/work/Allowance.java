package dev.tidemark.records.internal.work;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;

/**
 * The budget of one transaction of a build, in records, bytes and nanoseconds. The first record is
 * always allowed, so that every transaction makes progress.
 */
public final class Allowance {
  private final Transaction tx;
  private final TimeSource time;
  private final int records;
  private final long bytes;
  private final long endNanos;
  private int spentRecords;
  private long sizeBefore;
  private long largest;

  public Allowance(Transaction tx, TimeSource time, int records, long bytes, long nanos) {
    this.tx = tx;
    this.time = time;
    this.records = records;
    this.bytes = bytes;
    this.endNanos = time.nanos() + nanos;
  }

  /** Charges one record; called after each. */
  public void spend() {
    spentRecords++;
    long size = tx.size();
    largest = Math.max(largest, size - sizeBefore);
    sizeBefore = size;
  }

  /**
   * Whether one more record could exceed the budget. Room is kept for a record twice as large as
   * the largest so far.
   */
  public boolean isSpent() {
    return spentRecords > 0
        && (spentRecords >= records
            || sizeBefore + 2 * largest > bytes
            || time.nanos() - endNanos >= 0);
  }

  /** The number of records that are left in the budget. */
  public int recordsLeft() {
    return records - spentRecords;
  }

  public int spentRecords() {
    return spentRecords;
  }
}
