package dev.tidemark.loader;

import dev.tidemark.kv.TidemarkException;
import org.jspecify.annotations.Nullable;

/** A source could not do what it was asked for. */
public final class SourceException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final boolean retryable;

  private SourceException(String message, @Nullable Throwable cause, boolean retryable) {
    super(message, cause);
    this.retryable = retryable;
  }

  /** A failure that may pass: the loader tries again after a pause. */
  public static SourceException passing(String message, @Nullable Throwable cause) {
    return new SourceException(message, cause, true);
  }

  /** A failure that retries do not cure. The run ends. */
  public static SourceException lasting(String message, @Nullable Throwable cause) {
    return new SourceException(message, cause, false);
  }

  /** Whether the same call may succeed later. */
  public boolean retryable() {
    return retryable;
  }
}
