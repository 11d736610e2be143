package dev.tidemark.changes;

import org.jspecify.annotations.Nullable;

/** A failure that ends a {@link ChangeReader}. */
public final class ChangeReaderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure with its cause. */
  public ChangeReaderException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
