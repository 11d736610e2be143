package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.query.plan.Candidate;

/**
 * How far one plan of a query has come. A {@link CursorPlace} is what others are given of it.
 *
 * @param by the plan
 * @param offset how many rows are still to be left out
 * @param limit how many rows may still come; negative for all
 * @param ended whether there is nothing behind it
 * @param position the place in the plan
 */
record Stage(Candidate by, long offset, long limit, boolean ended, Tuple position) {
  /** This stage further on. */
  Stage at(long offsetLeft, long limitLeft, boolean nowEnded, Tuple nowAt) {
    return new Stage(by, offsetLeft, limitLeft, nowEnded, nowAt);
  }
}
