package dev.tidemark.records;

/**
 * Signals a stored record that cannot be read: its bytes are malformed or incomplete, or the
 * constructor of its class, which runs for stored records too, refuses the values.
 */
public sealed class DamagedRecordException extends RecordException permits RefusedRecordException {
  /** Creates it with a message that names what is damaged. */
  public DamagedRecordException(String message) {
    super(message, null);
  }

  /** Creates it with a message that names what is damaged, and with the cause. */
  public DamagedRecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
