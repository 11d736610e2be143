package dev.tidemark.records.schema;

import dev.tidemark.records.RecordStore;

/** What an index keeps. */
public enum IndexKind {
  /** An entry for each record, in the order of its columns. */
  VALUE,
  /** How many records each group has. */
  COUNT,
  /** How many records of each group have no null in the last column. */
  COUNT_NOT_NULL,
  /** How often records of each group have been saved. Deletes do not lower it. */
  COUNT_UPDATES,
  /** The sum of the last column, a whole number, in each group. */
  SUM,
  /** The smallest value of the last column among the records that each group has now. */
  MIN,
  /** The largest value of the last column among the records that each group has now. */
  MAX,
  /** The smallest value that the last column ever had in each group. Deletes do not raise it. */
  MIN_EVER,
  /** The largest value that the last column ever had in each group. Deletes do not lower it. */
  MAX_EVER,
  /** The sum and the number of the values of the last column, a whole number, in each group. */
  AVERAGE,
  /**
   * The place of each record among those of its group, by the last column; a descending column
   * gives the first place to the largest value.
   */
  RANK,
  /**
   * An entry for each record, in the order of the columns and of the commits that saved it last.
   */
  VERSION,
  /**
   * An entry for each word of the last column, a text, in each group, with the places of the word;
   * see {@link RecordStore#search}.
   */
  TEXT
}
