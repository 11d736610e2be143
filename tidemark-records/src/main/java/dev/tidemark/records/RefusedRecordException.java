package dev.tidemark.records;

import dev.tidemark.kv.tuple.Tuple;

/**
 * Signals a stored record whose bytes are sound but which its class refuses, because the
 * constructor has become stricter. Deletes by key and by query, and saves of another record over
 * it, do not need the class.
 */
public final class RefusedRecordException extends DamagedRecordException {
  private final transient Tuple primaryKey;

  /** Creates it with the message, the record's primary key and the exception of its class. */
  public RefusedRecordException(String message, Tuple primaryKey, Throwable cause) {
    super(message, cause);
    this.primaryKey = primaryKey;
  }

  /** The primary key of the record. */
  public Tuple primaryKey() {
    return primaryKey;
  }
}
