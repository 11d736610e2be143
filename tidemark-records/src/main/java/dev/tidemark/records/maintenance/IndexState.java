package dev.tidemark.records.maintenance;

/** The state of an index, which says who uses it. */
public enum IndexState {
  /** Neither kept nor read; it has no entries. */
  DISABLED,
  /** Kept by every save and delete, but not read: it is being built. */
  WRITE_ONLY,
  /** Kept and read. */
  READABLE,
  /**
   * Maintained and read, but records from before the build share values that should be unique. New
   * duplicates are refused; once the last old one is resolved, the index can be made readable.
   */
  READABLE_UNIQUE_PENDING;

  /** Whether queries may use the index. */
  public boolean isReadable() {
    return this == READABLE || this == READABLE_UNIQUE_PENDING;
  }

  /** Whether saves and deletes maintain the index. */
  public boolean isMaintained() {
    return this != DISABLED;
  }
}
