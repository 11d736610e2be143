package dev.tidemark.pulse.redis;

import dev.tidemark.kv.Key;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Rows in order as the server had them.
 *
 * @param revision when
 * @param rows the rows
 */
record SeenRange(String revision, SequencedMap<Key, SeenRow> rows) {
  /** No rows, since ever. What is guessed of ranges nobody has looked at. */
  static final SeenRange NONE = new SeenRange("0", new TreeMap<>());

  /** The key of the last row; the empty key if there are none. */
  Key last() {
    return rows.isEmpty() ? Key.EMPTY : rows.lastEntry().getKey();
  }
}
