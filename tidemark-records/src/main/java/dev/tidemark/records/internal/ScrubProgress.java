package dev.tidemark.records.internal;

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
  /** One index is gone through several times. Each pass has the number by which it is stored. */
  enum Pass {
    /** Nothing has been done. */
    BEGIN(0),
    /** Every record is asked for its entries. */
    RECORDS(1),
    /** Every row is asked for its record. */
    ROWS(2),
    /** Totals are counted anew. */
    COUNT(3),
    /** Old and new totals are compared. */
    COMPARE(4),
    /** What is kept beside them is compared. */
    COMPARE_SECONDARY(5),
    /** All is done; other indexes are not. */
    DONE(6);

    private final int code;

    Pass(int code) {
      this.code = code;
    }

    private static Pass of(int code) {
      for (Pass pass : values()) {
        if (pass.code == code) {
          return pass;
        }
      }
      throw new IllegalArgumentException("There is no pass " + code + " of a scrub");
    }
  }

  static final ScrubProgress BEGIN = at(Pass.BEGIN, Key.EMPTY);
  static final ScrubProgress DONE = at(Pass.DONE, Key.EMPTY);

  static ScrubProgress at(Pass pass, Key next) {
    return new ScrubProgress(pass, next, 0);
  }

  byte[] toBytes() {
    return Tuple.of(pass.code, next.toByteArray(), differences).pack();
  }

  static ScrubProgress parse(byte[] bytes) {
    Tuple tuple = Tuple.unpack(bytes);
    return new ScrubProgress(Pass.of(tuple.getInt(0)), Key.of(tuple.getBytes(1)), tuple.getLong(2));
  }
}
