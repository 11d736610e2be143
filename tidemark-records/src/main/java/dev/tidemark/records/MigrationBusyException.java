package dev.tidemark.records;

/** Signals that another program migrates the same space, or has taken over from this one. */
public final class MigrationBusyException extends RecordException {
  private static final long serialVersionUID = 1;

  /** Creates it with a message that says until when the other program holds the lease. */
  public MigrationBusyException(String message) {
    super(message, null);
  }
}
