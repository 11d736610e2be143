package dev.tidemark.records.maintenance;

/** What may be done with an index. */
public enum IndexState {
  /** Neither kept nor read; it has no entries. */
  DISABLED,
  /** Kept by every save and delete, but not read: it is being built. */
  WRITE_ONLY,
  /** Kept and read. */
  READABLE,
  /**
   * Kept and read, but records from before it was built share values that should be unique. New
   * ones are refused; when the last pair is resolved the index can be made readable.
   */
  READABLE_UNIQUE_PENDING;

  /** Whether queries may use the index. */
  public boolean isReadable() {
    return this == READABLE || this == READABLE_UNIQUE_PENDING;
  }

  /** Whether saves and deletes keep the index. */
  public boolean isMaintained() {
    return this != DISABLED;
  }
}
