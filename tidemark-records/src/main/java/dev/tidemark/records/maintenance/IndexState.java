package dev.tidemark.records.maintenance;

/** The state of an index, which says who uses it. */
public enum IndexState {
  /** Neither maintained nor read; it has no entries. */
  DISABLED(0),
  /** Maintained by every save and delete, but not read: it is being built. */
  WRITE_ONLY(1),
  /** Maintained and read. */
  READABLE(2),
  /**
   * Maintained and read, but records from before the build share values that should be unique. New
   * duplicates are refused; once the last old one is resolved, the index can be made readable.
   */
  READABLE_UNIQUE_PENDING(3);

  private final int code;

  IndexState(int code) {
    this.code = code;
  }

  /** The number by which the state is stored. */
  public int code() {
    return code;
  }

  /** The state with {@code code}. */
  public static IndexState of(int code) {
    for (IndexState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    throw new IllegalArgumentException("There is no index state " + code);
  }

  /** Whether queries may use the index. */
  public boolean isReadable() {
    return this == READABLE || this == READABLE_UNIQUE_PENDING;
  }

  /** Whether saves and deletes maintain the index. */
  public boolean isMaintained() {
    return this != DISABLED;
  }
}
