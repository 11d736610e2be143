package dev.tidemark.kv;

/**
 * The time of {@link TransactionOptions#timeout} has elapsed. If it elapses during a commit, the
 * result of the commit may be unknown.
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
