package dev.tidemark.pulse.pool;

/** The pool has taken the request and not carried it out in time. It will: this is no failure. */
public final class DispatchTimeoutException extends PoolException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public DispatchTimeoutException(String message) {
    super(message);
  }
}
