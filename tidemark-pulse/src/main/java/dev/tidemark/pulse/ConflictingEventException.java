package dev.tidemark.pulse;

/** The key of an {@code addOnce} or {@code dispatchOnce} was used before for something else. */
public final class ConflictingEventException extends PulseException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public ConflictingEventException(String message) {
    super(message);
  }
}
