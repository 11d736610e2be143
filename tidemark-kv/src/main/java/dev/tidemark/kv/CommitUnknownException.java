package dev.tidemark.kv;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot tell whether the commit took effect. {@link Database#transact} finds out with an
 * idempotency id where such a thing can happen; without one the caller has to look.
 */
public final class CommitUnknownException extends DatabaseException {
  private static final int COMMIT_UNKNOWN_RESULT = 1021;

  /** An unknown result that {@code message} describes. */
  public CommitUnknownException(String message, @Nullable Throwable cause) {
    super(COMMIT_UNKNOWN_RESULT, message, cause);
  }

  @Override
  public boolean maybeCommitted() {
    return true;
  }
}
