package dev.tidemark.records;

/** Signals a record, or an index entry of a record, that is larger than the store takes. */
public final class RecordTooLargeException extends RecordException {
  private final long bytes;
  private final long limit;

  /** Creates it for {@code bytes} where {@code limit} are allowed. */
  public RecordTooLargeException(String message, long bytes, long limit) {
    super(message, null);
    this.bytes = bytes;
    this.limit = limit;
  }

  /** How large it is. */
  public long bytes() {
    return bytes;
  }

  /** How large it may be. */
  public long limit() {
    return limit;
  }
}
