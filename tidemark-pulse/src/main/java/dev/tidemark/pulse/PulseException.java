package dev.tidemark.pulse;

import dev.tidemark.kv.TidemarkException;

/** Something that a stream, a map or a pool could not do. */
public class PulseException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public PulseException(String message) {
    super(message);
  }

  /** With this message and cause. */
  public PulseException(String message, Throwable cause) {
    super(message, cause);
  }
}
