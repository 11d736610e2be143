package dev.tidemark.records.changes;

/**
 * Signals that the stream, or its whole store, was removed while it was open. Changes that had not
 * been read are lost.
 */
public final class StreamGoneException extends ChangeLogException {
  private static final long serialVersionUID = 1;

  /** Creates it with what was removed. */
  public StreamGoneException(String message) {
    super(message);
  }
}
