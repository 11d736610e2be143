package dev.tidemark.records;

/**
 * Signals a call that would change more records than one transaction should, or a query that has to
 * sort more rows than its limits allow. Nothing was changed, and no row was returned: without all
 * rows nobody knows which are the first.
 */
public final class TooManyRecordsException extends RecordException {
  private final long limit;

  /** Creates it for a limit of {@code limit}. */
  public TooManyRecordsException(String message, long limit) {
    super(message, null);
    this.limit = limit;
  }

  /**
   * The number of records that one call may change, or of rows that the query had read when it
   * failed.
   */
  public long limit() {
    return limit;
  }
}
