package dev.tidemark.kv;

import org.jspecify.annotations.Nullable;

/**
 * Something the store could not do. The subclasses are the cases in which a program acts
 * differently; {@link #code} is FoundationDB's number for the cause.
 */
public abstract sealed class DatabaseException extends TidemarkException
    permits CommitUnknownException,
        ConflictException,
        InterruptedOperationException,
        LimitExceededException,
        StorageException,
        TransactionClosedException,
        TransactionTimedOutException,
        TransactionTooOldException,
        UnavailableException,
        UnreadableKeyException,
        UsageException {
  private final int code;

  DatabaseException(int code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** FoundationDB's error code. */
  public final int code() {
    return code;
  }

  /** Whether the same work may succeed in a new transaction. */
  public boolean retryable() {
    return false;
  }

  /** Whether the transaction may have been committed all the same. */
  public boolean maybeCommitted() {
    return false;
  }
}
