package dev.tidemark.records;

import dev.tidemark.kv.tuple.Tuple;

/** Signals an update of a record that does not exist. */
public final class RecordMissingException extends RecordException {
  private final Tuple primaryKey;

  /** Creates it for the record of {@code type} with {@code primaryKey}. */
  public RecordMissingException(String type, Tuple primaryKey) {
    super(
        "There is no %s with primary key %s; save() or insert() makes one"
            .formatted(type, primaryKey),
        null);
    this.primaryKey = primaryKey;
  }

  /** The primary key. */
  public Tuple primaryKey() {
    return primaryKey;
  }
}
