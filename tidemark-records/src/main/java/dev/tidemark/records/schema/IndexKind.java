package dev.tidemark.records.schema;

import dev.tidemark.records.RecordStore;

/** What an index keeps. */
public enum IndexKind {
  /** An entry for each record, in the order of its columns. */
  VALUE(1),
  /** How many records each group has. */
  COUNT(2),
  /** How many records of each group have no null in the last column. */
  COUNT_NOT_NULL(3),
  /** How often records of each group have been saved. Deletes do not lower it. */
  COUNT_UPDATES(4),
  /** The sum of the last column, a whole number, in each group. */
  SUM(5),
  /** The smallest value of the last column among the records that each group has now. */
  MIN(6),
  /** The largest value of the last column among the records that each group has now. */
  MAX(7),
  /** The smallest value that the last column ever had in each group. Deletes do not raise it. */
  MIN_EVER(8),
  /** The largest value that the last column ever had in each group. Deletes do not lower it. */
  MAX_EVER(9),
  /** The sum and the number of the values of the last column, a whole number, in each group. */
  AVERAGE(10),
  /**
   * The place of each record among those of its group, by the last column; a descending column
   * gives the first place to the largest value.
   */
  RANK(11),
  /**
   * An entry for each record, in the order of the columns and of the commits that saved it last.
   */
  VERSION(12),
  /**
   * An entry for each word of the last column, a text, in each group, with the places of the word;
   * see {@link RecordStore#search}.
   */
  TEXT(13);

  private final int code;

  IndexKind(int code) {
    this.code = code;
  }

  /** The number by which the kind is stored. */
  public int code() {
    return code;
  }

  /** The kind with {@code code}. */
  public static IndexKind of(int code) {
    for (IndexKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new IllegalArgumentException("There is no kind of index " + code);
  }
}
