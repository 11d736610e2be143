package dev.tidemark.records;

import dev.tidemark.kv.Tuple;

/** Two records would have the same values in a unique index. */
public final class UniquenessException extends RecordException {
  private final String index;
  private final Tuple primaryKey;
  private final Tuple existing;

  /** Where {@code primaryKey} would take {@code values}, which {@code existing} has. */
  public UniquenessException(String index, Tuple values, Tuple primaryKey, Tuple existing) {
    super(
        "The record %s cannot have %s in the unique index '%s': the record %s has it"
            .formatted(primaryKey, values, index, existing),
        null);
    this.index = index;
    this.primaryKey = primaryKey;
    this.existing = existing;
  }

  /** The name of the index. */
  public String index() {
    return index;
  }

  /** The primary key of the record that was refused. */
  public Tuple primaryKey() {
    return primaryKey;
  }

  /** The primary key of the record that has the values. */
  public Tuple existing() {
    return existing;
  }
}
