package dev.tidemark.kv;

/**
 * Another commit changed what this transaction had read. Nothing was written; in a new transaction
 * the same work may succeed, and {@link Database#transact} tries it.
 */
public final class ConflictException extends DatabaseException {
  private static final int NOT_COMMITTED = 1020;

  /** A conflict that {@code message} describes. */
  public ConflictException(String message) {
    super(NOT_COMMITTED, message, null);
  }

  @Override
  public boolean retryable() {
    return true;
  }
}
