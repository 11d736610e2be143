package dev.tidemark.records;

import dev.tidemark.records.maintenance.UnfitRecord;
import java.util.List;

/**
 * A build or a migration has met records that it cannot take. Everything else is done and kept:
 * delete or change these records, and run it again.
 */
public final class UnfitRecordsException extends RecordException {
  /** So many records are listed at most. */
  public static final int RECORDS_MAX = 100;

  private final transient List<UnfitRecord> records;
  private final long count;

  /** With what could not be done, the first of the records, and how many there are. */
  public UnfitRecordsException(String message, List<UnfitRecord> records, long count) {
    super(message, null);
    this.records = List.copyOf(records);
    this.count = count;
  }

  /** The first {@value #RECORDS_MAX} of the records. */
  public List<UnfitRecord> records() {
    return records;
  }

  /** How many records were met. */
  public long count() {
    return count;
  }
}
