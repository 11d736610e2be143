package dev.tidemark.pulse.pool;

import dev.tidemark.pulse.PulseException;

/** Something that a pool refuses or could not do. */
public class PoolException extends PulseException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public PoolException(String message) {
    super(message);
  }

  /** With this message and cause. */
  public PoolException(String message, Throwable cause) {
    super(message, cause);
  }
}
