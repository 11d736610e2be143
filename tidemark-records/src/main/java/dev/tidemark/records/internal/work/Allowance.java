package dev.tidemark.records.internal.work;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;

/**
 * What one transaction of a build may take: so many records, bytes and nanoseconds. The first
 * record is always allowed, so that every transaction gets somewhere.
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

  /** To be called after each record. */
  public void spend() {
    spentRecords++;
    long size = tx.size();
    largest = Math.max(largest, size - sizeBefore);
    sizeBefore = size;
  }

  /** Whether one more record could be too much. Room is kept for one twice as large as any yet. */
  public boolean isSpent() {
    return spentRecords > 0
        && (spentRecords >= records
            || sizeBefore + 2 * largest > bytes
            || time.nanos() - endNanos >= 0);
  }

  /** How many more records there may be, if they are small. */
  public int recordsLeft() {
    return records - spentRecords;
  }

  public int spentRecords() {
    return spentRecords;
  }
}
