package dev.tidemark.kv;

/**
 * Somewhere to read: a database, which opens a transaction and retries, or a transaction that is
 * already running, which the reader joins. Helpers that only read take this type.
 */
public interface ReadContext {
  /**
   * Runs {@code body} on one consistent version of the store and returns its result.
   *
   * <p>On a database, {@code body} may run several times (when it outlives the five seconds that a
   * version is kept, say), so it should have no effect beside its result. On a transaction it runs
   * once, and what it reads counts among that transaction's reads.
   *
   * @throws X whatever {@code body} throws
   */
  <T, X extends Exception> T read(ReadBody<T, X> body) throws X;

  /** What a reader does with a transaction. */
  @FunctionalInterface
  interface ReadBody<T, X extends Exception> {
    /** Reads and returns a result. */
    T apply(ReadTransaction tx) throws X;
  }
}
