package dev.tidemark.records.internal.scrub;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Tuple;

/**
 * How far the scrub of one index has come.
 *
 * @param pass what it does
 * @param next where it goes on
 * @param differences how many totals it has found wrong
 */
record ScrubProgress(Pass pass, Key next, long differences) {
  /** One index is gone through several times. Stored by name. */
  enum Pass {
    /** Nothing has been done. */
    BEGIN,
    /** Every record is asked for its entries. */
    RECORDS,
    /** Every row is asked for its record. */
    ROWS,
    /** Totals are counted anew. */
    COUNT,
    /** Old and new totals are compared. */
    COMPARE,
    /** What is kept beside them is compared. */
    COMPARE_SECONDARY,
    /** All is done; other indexes are not. */
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
