package dev.tidemark.records.changes;

import dev.tidemark.kv.TidemarkException;

/**
 * Signals a misuse of a change log: a stream that does not exist, or a token or a position that is
 * not of this stream.
 */
public class ChangeLogException extends TidemarkException {
  private static final long serialVersionUID = 1;

  /** Creates it with what is wrong and what to do. */
  public ChangeLogException(String message) {
    super(message);
  }
}
