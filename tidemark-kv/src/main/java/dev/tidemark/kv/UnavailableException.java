package dev.tidemark.kv;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot be reached or is too busy for now. Nothing was written; a later attempt may
 * succeed.
 */
public final class UnavailableException extends DatabaseException {
  /** A passing failure with FoundationDB's {@code code} for it. */
  public UnavailableException(int code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  @Override
  public boolean retryable() {
    return true;
  }
}
