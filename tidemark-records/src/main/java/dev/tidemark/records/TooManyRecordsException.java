package dev.tidemark.records;

/**
 * A call would change more records than one transaction should, or a query would have to sort more
 * rows than its limits let it see. Nothing was changed, and no row came: those that did would not
 * be the first ones.
 */
public final class TooManyRecordsException extends RecordException {
  private final long limit;

  /** Where {@code limit} are allowed. */
  public TooManyRecordsException(String message, long limit) {
    super(message, null);
    this.limit = limit;
  }

  /** How many records one call may change, or how many rows a query had to sort in vain. */
  public long limit() {
    return limit;
  }
}
