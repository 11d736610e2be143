package dev.tidemark.records;

/** Stored bytes that are no record, or not all of one. */
public final class DamagedRecordException extends RecordException {
  /** With what is damaged. */
  public DamagedRecordException(String message) {
    super(message, null);
  }
}
