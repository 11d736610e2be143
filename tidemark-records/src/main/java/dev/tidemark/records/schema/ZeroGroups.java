package dev.tidemark.records.schema;

/** What happens to the group of an aggregate that reaches zero. */
public enum ZeroGroups {
  /** Counts are removed; sums stay, because zero may be a real total. */
  BY_KIND(0),
  /** The group is removed and no longer listed. */
  REMOVE(1),
  /** The group stays and is listed with zero. */
  KEEP(2);

  private final int code;

  ZeroGroups(int code) {
    this.code = code;
  }

  /** The number by which it is stored in a schema. */
  public int code() {
    return code;
  }

  /** The one with {@code code}. */
  public static ZeroGroups of(int code) {
    for (ZeroGroups one : values()) {
      if (one.code == code) {
        return one;
      }
    }
    throw new IllegalArgumentException("There is no ZeroGroups " + code);
  }
}
