package dev.tidemark.pulse.pool;

/** The handler of a job failed. It ran elsewhere, so what it threw is here as text. */
public final class JobFailedException extends PoolException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /** With this message, which {@code reason} is put behind. */
  public JobFailedException(String message, String reason) {
    super(message + ": " + reason);
    this.reason = reason;
  }

  /** What the handler threw, as text: its class and message. */
  public String reason() {
    return reason;
  }
}
