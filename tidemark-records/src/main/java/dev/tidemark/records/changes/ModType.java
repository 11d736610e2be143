package dev.tidemark.records.changes;

/** What happened to a record. */
public enum ModType {
  /** It was not there before. */
  INSERT(0),
  /** It was there and has other values. */
  UPDATE(1),
  /** It is not there any more. */
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
