package dev.tidemark.kv;

import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions that Tidemark's layers throw of their own, on every engine and
 * backend. A program catches it where any failure means the same: give up, or try again later.
 * {@link DatabaseException} are the failures of the store itself.
 *
 * <p>Mistakes of a program are {@link UsageException}s at the store, and {@link
 * IllegalArgumentException}s and {@link IllegalStateException}s in the layers above it.
 */
public abstract class TidemarkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  protected TidemarkException(String message) {
    super(message);
  }

  /** With this message and, where there is one, its cause. */
  protected TidemarkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
