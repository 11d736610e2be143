package dev.tidemark.kv;

/** A transaction, watch or database was used after its end: closed, cancelled or committed. */
public final class TransactionClosedException extends DatabaseException {
  private static final int TRANSACTION_CANCELLED = 1025;
  private static final int USED_DURING_COMMIT = 2017;
  private static final int CLIENT_INVALID_OPERATION = 2000;

  private TransactionClosedException(int code, String message) {
    super(code, message, null);
  }

  /** Use after {@code cancel} or {@code close}. */
  public static TransactionClosedException cancelled(String message) {
    return new TransactionClosedException(TRANSACTION_CANCELLED, message);
  }

  /** Use while, or after, the transaction was committed. */
  public static TransactionClosedException committed(String message) {
    return new TransactionClosedException(USED_DURING_COMMIT, message);
  }

  /** Use of a database that is closed. */
  public static TransactionClosedException databaseClosed(String message) {
    return new TransactionClosedException(CLIENT_INVALID_OPERATION, message);
  }
}
