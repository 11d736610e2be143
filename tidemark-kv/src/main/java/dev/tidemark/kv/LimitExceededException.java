package dev.tidemark.kv;

/** A key, a value, a transaction or the number of watches is over the store's limit. */
public final class LimitExceededException extends DatabaseException {
  private static final int TOO_MANY_WATCHES = 1032;
  private static final int TRANSACTION_TOO_LARGE = 2101;
  private static final int KEY_TOO_LARGE = 2102;
  private static final int VALUE_TOO_LARGE = 2103;

  private final long actual;
  private final long limit;

  private LimitExceededException(int code, String message, long actual, long limit) {
    super(code, message, null);
    this.actual = actual;
    this.limit = limit;
  }

  /** A key that is too long. */
  public static LimitExceededException key(Key key, int limit) {
    return new LimitExceededException(
        KEY_TOO_LARGE,
        "The key %s has %,d bytes; the limit is %,d. Use a shorter key, or a hash of the long part."
            .formatted(key, key.size(), limit),
        key.size(),
        limit);
  }

  /** A value that is too long. */
  public static LimitExceededException value(Key key, int size, int limit) {
    return new LimitExceededException(
        VALUE_TOO_LARGE,
        "The value for %s has %,d bytes; the limit is %,d. Split it over several keys."
            .formatted(key, size, limit),
        size,
        limit);
  }

  /** A transaction that is too large. */
  public static LimitExceededException transaction(long size, long limit) {
    return new LimitExceededException(
        TRANSACTION_TOO_LARGE,
        ("The transaction has %,d bytes of keys, values and conflict ranges; the limit is %,d."
                + " Split the work over several transactions.")
            .formatted(size, limit),
        size,
        limit);
  }

  /** Too many watches at a time. */
  public static LimitExceededException watches(int limit) {
    return new LimitExceededException(
        TOO_MANY_WATCHES,
        "%,d watches are open, which is the limit. Close those that are no longer needed."
            .formatted(limit),
        limit + 1L,
        limit);
  }

  /**
   * A limit that a store reports as exceeded, with its {@code code} and its message; {@code actual}
   * or {@code limit} is -1 if the store did not report it.
   */
  public static LimitExceededException reported(int code, String message, long actual, long limit) {
    return new LimitExceededException(code, message, actual, limit);
  }

  /** The size or number that was requested; -1 if the store did not report it. */
  public long actual() {
    return actual;
  }

  /** The limit; -1 if the store did not report it. */
  public long limit() {
    return limit;
  }
}
