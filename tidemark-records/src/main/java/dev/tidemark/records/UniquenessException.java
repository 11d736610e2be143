package dev.tidemark.records;

import dev.tidemark.kv.tuple.Tuple;

/** Signals a save that would give two records the same values in a unique index. */
public final class UniquenessException extends RecordException {
  private final String index;
  private final Tuple primaryKey;
  private final Tuple existing;

  /**
   * Creates it for the record {@code primaryKey}, whose {@code values} the record {@code existing}
   * has.
   */
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
