package dev.tidemark.records.query;

import java.util.Iterator;

/**
 * The results of a query one by one, with a continuation behind each. Used by one thread.
 *
 * <p>When {@link #hasNext} returns false, {@link #stopReason} says whether the results are
 * exhausted or which limit was reached. In the latter case another cursor resumes from {@link
 * #continuation}, in the same transaction or another one, in this process or elsewhere.
 *
 * @param <T> what a result is
 */
public interface Cursor<T> extends Iterator<T>, AutoCloseable {
  /**
   * Why there are no further results.
   *
   * @throws IllegalStateException while there may be further results
   */
  StopReason stopReason();

  /** The continuation behind the last result that was taken. */
  Continuation continuation();

  /** Releases what the cursor holds. Idempotent. */
  @Override
  void close();
}
