package dev.tidemark.pulse;

/** The key of an {@code addOnce} was used before for another event. */
public final class ConflictingEventException extends PulseException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public ConflictingEventException(String message) {
    super(message);
  }
}
