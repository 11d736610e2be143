package dev.tidemark.records;

import dev.tidemark.kv.tuple.Tuple;

/** Signals an insert of a record whose primary key is taken. */
public final class RecordExistsException extends RecordException {
  private final Tuple primaryKey;

  /** Creates it for the record of {@code type} with {@code primaryKey}. */
  public RecordExistsException(String type, Tuple primaryKey) {
    super(
        "There is already a %s with primary key %s; save() replaces it".formatted(type, primaryKey),
        null);
    this.primaryKey = primaryKey;
  }

  /** The primary key. */
  public Tuple primaryKey() {
    return primaryKey;
  }
}
