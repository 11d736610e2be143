package dev.tidemark.kv;

import org.jspecify.annotations.Nullable;

/** The thread was interrupted while it waited for the store. Its interrupt flag is set again. */
public final class InterruptedOperationException extends DatabaseException {
  private static final int OPERATION_CANCELLED = 1101;

  /** An interrupt during what {@code message} describes. */
  public InterruptedOperationException(String message, @Nullable Throwable cause) {
    super(OPERATION_CANCELLED, message, cause);
  }
}
