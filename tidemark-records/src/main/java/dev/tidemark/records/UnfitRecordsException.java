package dev.tidemark.records;

import dev.tidemark.records.maintenance.UnfitRecord;
import java.util.List;

/**
 * Signals records that a build or a migration cannot process. Everything else is done and kept:
 * delete or change these records, and run it again.
 */
public final class UnfitRecordsException extends RecordException {
  /** The largest number of records that are listed. */
  public static final int RECORDS_MAX = 100;

  private final transient List<UnfitRecord> records;
  private final long count;

  /** Creates it with the message, the first of the records, and how many there are. */
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
