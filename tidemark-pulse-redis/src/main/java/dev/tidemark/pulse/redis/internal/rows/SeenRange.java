package dev.tidemark.pulse.redis.internal.rows;

import dev.tidemark.kv.Key;
import java.util.Comparator;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Rows in order as the server had them.
 *
 * @param newest the greatest version of them; 0 if there are none
 * @param rows the rows
 */
record SeenRange(String newest, SequencedMap<Key, SeenRow> rows) {
  /** No rows. What is guessed of ranges nobody has looked at. */
  static final SeenRange NONE = of(new TreeMap<>());

  static SeenRange of(SequencedMap<Key, SeenRow> rows) {
    return new SeenRange(
        rows.values().stream().map(SeenRow::version).max(Comparator.naturalOrder()).orElse("0"),
        rows);
  }

  /** The key of the last row; the empty key if there are none. */
  Key last() {
    return rows.isEmpty() ? Key.EMPTY : rows.lastEntry().getKey();
  }
}
