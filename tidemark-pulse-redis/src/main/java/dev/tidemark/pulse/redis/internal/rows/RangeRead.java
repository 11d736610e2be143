package dev.tidemark.pulse.redis.internal.rows;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;

/**
 * A question for rows in order.
 *
 * @param range where they are
 * @param limit how many at most
 */
record RangeRead(KeyRange range, int limit) {
  /** Whether a row with this key could be part of the answer. */
  boolean mayHold(Key key) {
    return range.contains(key);
  }
}
