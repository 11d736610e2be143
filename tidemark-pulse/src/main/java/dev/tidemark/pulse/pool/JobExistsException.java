package dev.tidemark.pulse.pool;

/** The pool has a job with this key already; nothing was dispatched. */
public final class JobExistsException extends PoolException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public JobExistsException(String message) {
    super(message);
  }
}
