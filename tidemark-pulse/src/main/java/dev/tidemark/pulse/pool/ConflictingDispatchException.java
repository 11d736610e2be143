package dev.tidemark.pulse.pool;

/** The id of a {@code dispatchOnce} was used before for another key or payload. */
public final class ConflictingDispatchException extends PoolException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public ConflictingDispatchException(String message) {
    super(message);
  }
}
