package dev.tidemark.kv;

/**
 * Somewhere to read and write: a database, which opens a transaction, commits it and retries on
 * conflict, or a transaction that is already running, which the body joins. A helper that takes
 * this type works alone and as a part of something larger.
 */
public interface TransactionContext extends ReadContext {
  /**
   * Runs {@code body} in a serializable transaction and returns its result.
   *
   * <p>On a database the transaction is committed after {@code body} returns, and abandoned when it
   * throws. <b>The body may run several times</b>: after a conflict it starts again in a new
   * transaction, so whatever it does beside reading and writing the transaction it must be able to
   * do twice. Results must not be views on the transaction; read them out first.
   *
   * <p>On a transaction the body runs once, and the owner of the transaction commits.
   *
   * @throws X whatever {@code body} throws
   * @throws CommitUnknownException if the store cannot tell whether the commit happened and no
   *     idempotency id was in use
   * @throws ConflictException if every permitted attempt met a conflict
   */
  <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X;

  /** {@link #transact} for a body without a result. */
  default <X extends Exception> void run(TransactionAction<X> action) throws X {
    this.<Boolean, X>transact(
        tx -> {
          action.accept(tx);
          return true;
        });
  }

  /** What a program does with a transaction, with a result. */
  @FunctionalInterface
  interface TransactionBody<T, X extends Exception> {
    /** Reads and writes, and returns a result. */
    T apply(Transaction tx) throws X;
  }

  /** What a program does with a transaction, without a result. */
  @FunctionalInterface
  interface TransactionAction<X extends Exception> {
    /** Reads and writes. */
    void accept(Transaction tx) throws X;
  }
}
