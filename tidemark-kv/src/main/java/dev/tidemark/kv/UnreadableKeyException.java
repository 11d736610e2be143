package dev.tidemark.kv;

/**
 * A read of a key that this transaction has given a versionstamp, which is known only at commit.
 */
public final class UnreadableKeyException extends DatabaseException {
  private static final int ACCESSED_UNREADABLE = 1036;

  /** A read of {@code key}, or of a range that may hold it. */
  public UnreadableKeyException(Key key) {
    super(
        ACCESSED_UNREADABLE,
        "The value at "
            + key
            + " is unreadable in this transaction: it gets a versionstamp at"
            + " commit. Read it in a later transaction.",
        null);
  }

  private UnreadableKeyException(String message) {
    super(ACCESSED_UNREADABLE, message, null);
  }

  /** A read that a store has refused without telling which key is unreadable. */
  public static UnreadableKeyException reported(String message) {
    return new UnreadableKeyException(message);
  }
}
