package dev.tidemark.records.query;

import java.util.Iterator;

/**
 * The results of a query one by one, with a place to go on from. Used by one thread.
 *
 * <p>When {@link #hasNext} answers false, {@link #stopReason} says whether that is all, or which
 * limit was reached; in that case another cursor goes on from {@link #continuation}, in the same
 * transaction or in another one, in this process or elsewhere.
 *
 * @param <T> what a result is
 */
public interface Cursor<T> extends Iterator<T>, AutoCloseable {
  /**
   * Why there are no further results.
   *
   * @throws IllegalStateException while there may be some
   */
  StopReason stopReason();

  /** The place behind the last result that was taken. */
  Continuation continuation();

  /** Lets go of what the cursor holds. Further calls have no effect. */
  @Override
  void close();
}
