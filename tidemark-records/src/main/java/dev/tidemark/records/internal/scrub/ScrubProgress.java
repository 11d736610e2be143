package dev.tidemark.records.internal.scrub;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;

/**
 * The progress of the scrub of one index.
 *
 * @param pass the current pass
 * @param next where it resumes
 * @param differences the number of wrong totals so far
 */
record ScrubProgress(Pass pass, Key next, long differences) {
  /** The passes over one index. Stored by name. */
  enum Pass {
    /** Not started. */
    BEGIN,
    /** Checks the entries of every record. */
    RECORDS,
    /** Checks the record of every row. */
    ROWS,
    /** Counts the totals into a copy. */
    COUNT,
    /** Compares old and new totals. */
    COMPARE,
    /** Compares the additional rows. */
    COMPARE_SECONDARY,
    /** This index is done; others are not. */
    DONE
  }

  static final ScrubProgress BEGIN = at(Pass.BEGIN, Key.EMPTY);
  static final ScrubProgress DONE = at(Pass.DONE, Key.EMPTY);

  static ScrubProgress at(Pass pass, Key next) {
    return new ScrubProgress(pass, next, 0);
  }

  byte[] toBytes() {
    return Tuple.of(pass.name(), next.toByteArray(), differences).pack();
  }

  static ScrubProgress parse(byte[] bytes) {
    Tuple tuple = Tuple.unpack(bytes);
    return new ScrubProgress(
        Pass.valueOf(tuple.getString(0)), Key.of(tuple.getBytes(1)), tuple.getLong(2));
  }
}
