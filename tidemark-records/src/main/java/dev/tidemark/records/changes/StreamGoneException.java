package dev.tidemark.records.changes;

/**
 * The stream, or the whole store with it, was removed while it was open. This is no orderly end:
 * changes that had not been read are lost.
 */
public final class StreamGoneException extends ChangeLogException {
  private static final long serialVersionUID = 1;

  /** With what is gone. */
  public StreamGoneException(String message) {
    super(message);
  }
}
