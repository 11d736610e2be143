package dev.tidemark.pulse.pool;

/** The client or node is closed, or its pool is being shut down. */
public final class PoolClosedException extends PoolException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public PoolClosedException(String message) {
    super(message);
  }
}
