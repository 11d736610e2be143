package dev.tidemark.records;

/** Another program migrates the same space, or has taken over from this one. */
public final class MigrationBusyException extends RecordException {
  private static final long serialVersionUID = 1;

  /** With what is busy and until when. */
  public MigrationBusyException(String message) {
    super(message, null);
  }
}
