package dev.tidemark.records.changes;

import dev.tidemark.kv.TidemarkException;

/**
 * A log that cannot be read as it was asked to be: a stream that is not there, a token or a
 * position that is not of this stream.
 */
public class ChangeLogException extends TidemarkException {
  private static final long serialVersionUID = 1;

  /** With what is wrong and what to do. */
  public ChangeLogException(String message) {
    super(message);
  }
}
