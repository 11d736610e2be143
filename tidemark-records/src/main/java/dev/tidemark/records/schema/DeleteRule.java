package dev.tidemark.records.schema;

/** What happens to a record when one that it refers to is deleted. */
public enum DeleteRule {
  /** Nothing: it keeps a key of a record that is gone. */
  NO_ACTION(0),
  /** The delete is refused while it exists. */
  RESTRICT(1),
  /** Its reference becomes null; of several, the one is taken out. */
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
