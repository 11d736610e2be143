package dev.tidemark.coordination;

import dev.tidemark.kv.TidemarkException;

/**
 * A write of a former leader was refused: another one has been elected since. Nothing of its
 * transition was written. Stop the work of the term; the election goes on.
 */
public final class FencedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** With a message that names the term that has ended. */
  public FencedException(String message) {
    super(message);
  }
}
