package dev.tidemark.kv;

import java.time.Duration;

/**
 * A wait for one key's value to change. Made by {@link Transaction#watch}.
 *
 * <p>A watch fires once, when the value is no longer the one that its transaction saw. A value that
 * changes and changes back in between may go unnoticed; a watch may also fire although the value is
 * the same again by the time the waiter looks, or because the result of its transaction's commit
 * was unknown. So the waiter reads the key after waking up.
 */
public interface Watch extends AutoCloseable {
  /**
   * Waits until the watch fires, at most {@code timeout}.
   *
   * @return whether it fired
   * @throws TransactionClosedException if the watch was closed, or its transaction given up
   * @throws LimitExceededException if a store that several processes share has too many watches of
   *     all of them together
   * @throws InterruptedOperationException if the thread is interrupted
   */
  boolean await(Duration timeout);

  /** Whether the watch has fired. */
  boolean fired();

  /** Ends the watch; waiters get an exception. Can be called again. */
  @Override
  void close();
}
