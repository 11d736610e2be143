package dev.tidemark.records;

import dev.tidemark.kv.Tuple;

/**
 * A stored record whose bytes are whole, but which its class refuses: its constructor has become
 * stricter. Deletes, by key and by query, and saves of another record over it work without the
 * class.
 */
public final class RefusedRecordException extends DamagedRecordException {
  private final transient Tuple primaryKey;

  /** With what is refused, the record's primary key and the exception of its class. */
  public RefusedRecordException(String message, Tuple primaryKey, Throwable cause) {
    super(message, cause);
    this.primaryKey = primaryKey;
  }

  /** The primary key of the record. */
  public Tuple primaryKey() {
    return primaryKey;
  }
}
