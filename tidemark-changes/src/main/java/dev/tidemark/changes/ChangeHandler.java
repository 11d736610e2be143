package dev.tidemark.changes;

import dev.tidemark.kv.Transaction;

/**
 * What the program does with a change. Returning acknowledges it, unless the reader was told to
 * leave that to the program. An exception ends the reader; the change is delivered again by the
 * next one.
 */
@FunctionalInterface
public interface ChangeHandler {
  /** Processes a change. */
  void handle(Delivery delivery) throws Exception;

  /** What the program does with several changes at once. */
  @FunctionalInterface
  interface OfBatch {
    /** Processes a batch. */
    void handle(ChangeBatch batch) throws Exception;
  }

  /**
   * What the program does with several changes in the transaction that also stores how far they
   * reach: the effects and the position take place together, or neither does.
   */
  @FunctionalInterface
  interface InTransaction {
    /**
     * Writes the effects of a batch into {@code tx}. May run several times, so every other effect
     * must be idempotent.
     */
    void handle(Transaction tx, ChangeBatch batch) throws Exception;
  }
}
