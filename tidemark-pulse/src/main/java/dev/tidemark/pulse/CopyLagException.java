package dev.tidemark.pulse;

/**
 * The local copy of a map had not seen a write when its time was up. The write has happened; do not
 * repeat it.
 */
public final class CopyLagException extends PulseException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public CopyLagException(String message) {
    super(message);
  }
}
