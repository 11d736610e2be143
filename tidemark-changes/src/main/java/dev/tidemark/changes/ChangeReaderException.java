package dev.tidemark.changes;

import dev.tidemark.kv.TidemarkException;
import org.jspecify.annotations.Nullable;

/** A failure that ends a {@link ChangeReader}. */
public final class ChangeReaderException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** A failure with its cause. */
  public ChangeReaderException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
