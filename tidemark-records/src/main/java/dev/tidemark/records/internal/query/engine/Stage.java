package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.plan.Candidate;

/**
 * The position in one plan of a query. A {@link CursorPlace} is its serialized form.
 *
 * @param by the plan
 * @param offset the number of rows that are still to be skipped
 * @param limit the number of rows that may still come; negative for all
 * @param ended whether it is the end
 * @param position the place in the plan
 */
record Stage(Candidate by, long offset, long limit, boolean ended, Tuple position) {
  /** This stage at a later position. */
  Stage at(long offsetLeft, long limitLeft, boolean nowEnded, Tuple nowAt) {
    return new Stage(by, offsetLeft, limitLeft, nowEnded, nowAt);
  }
}
