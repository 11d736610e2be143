package dev.tidemark.kv;

/**
 * The time that {@link TransactionOptions#timeout} gives is over. Raised during a commit, the
 * result may be unknown.
 */
public final class TransactionTimedOutException extends DatabaseException {
  private static final int TRANSACTION_TIMED_OUT = 1031;

  private final boolean maybeCommitted;

  /** A time-out that {@code message} describes. */
  public TransactionTimedOutException(String message, boolean maybeCommitted) {
    super(TRANSACTION_TIMED_OUT, message, null);
    this.maybeCommitted = maybeCommitted;
  }

  @Override
  public boolean maybeCommitted() {
    return maybeCommitted;
  }
}
