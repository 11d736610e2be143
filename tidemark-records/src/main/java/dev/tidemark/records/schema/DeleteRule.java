package dev.tidemark.records.schema;

/** What happens to a record when a record that it refers to is deleted. */
public enum DeleteRule {
  /** Nothing: it keeps the key of a record that no longer exists. */
  NO_ACTION(0),
  /** The delete is refused as long as this record exists. */
  RESTRICT(1),
  /** The reference becomes null; in a list or set, the element is removed. */
  NULLIFY(2),
  /** It is deleted too. */
  CASCADE(3);

  private final int code;

  DeleteRule(int code) {
    this.code = code;
  }

  /** The number by which it is stored in a schema. */
  public int code() {
    return code;
  }

  /** The one with {@code code}. */
  public static DeleteRule of(int code) {
    for (DeleteRule one : values()) {
      if (one.code == code) {
        return one;
      }
    }
    throw new IllegalArgumentException("There is no DeleteRule " + code);
  }
}
