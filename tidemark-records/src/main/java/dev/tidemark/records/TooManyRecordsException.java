package dev.tidemark.records;

/** A call would change more records than one transaction should. */
public final class TooManyRecordsException extends RecordException {
  private final long limit;

  /** Where {@code limit} are allowed. */
  public TooManyRecordsException(String message, long limit) {
    super(message, null);
    this.limit = limit;
  }

  /** How many records one call may change. */
  public long limit() {
    return limit;
  }
}
