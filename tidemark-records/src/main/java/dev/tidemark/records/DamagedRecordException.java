package dev.tidemark.records;

/**
 * Stored bytes that are no record, or not all of one, or one that the record's class refuses: its
 * constructor runs for stored records too.
 */
public sealed class DamagedRecordException extends RecordException permits RefusedRecordException {
  /** With what is damaged. */
  public DamagedRecordException(String message) {
    super(message, null);
  }

  /** With what is damaged, and what was noticed first. */
  public DamagedRecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
