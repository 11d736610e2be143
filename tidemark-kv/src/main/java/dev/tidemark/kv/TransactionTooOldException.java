package dev.tidemark.kv;

/**
 * The version that the transaction reads is no longer kept: more than five seconds have passed
 * since its first read, or it was set by {@link Transaction#setReadVersion} too late. Shorter
 * transactions, or scans that go on in a new one, avoid it.
 */
public final class TransactionTooOldException extends DatabaseException {
  private static final int TRANSACTION_TOO_OLD = 1007;

  /** A version that is no longer kept, as {@code message} describes. */
  public TransactionTooOldException(String message) {
    super(TRANSACTION_TOO_OLD, message, null);
  }

  @Override
  public boolean retryable() {
    return true;
  }
}
