package dev.tidemark.pulse.pool;

/** The pool takes no more, because too much waits already; nothing was dispatched. */
public final class PoolFullException extends PoolException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public PoolFullException(String message) {
    super(message);
  }
}
