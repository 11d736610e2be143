package dev.tidemark.records.changes;

/** The kind of a change. */
public enum ModType {
  /** The record did not exist before. */
  INSERT(0),
  /** The record existed and has other values. */
  UPDATE(1),
  /** The record no longer exists. */
  DELETE(2);

  private final int code;

  ModType(int code) {
    this.code = code;
  }

  /** The number by which it is stored. */
  public int code() {
    return code;
  }

  /** The type with {@code code}. */
  public static ModType of(int code) {
    for (ModType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new IllegalArgumentException("There is no kind of change " + code);
  }
}
