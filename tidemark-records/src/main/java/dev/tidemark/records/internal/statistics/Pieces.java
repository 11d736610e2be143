package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.Collections;
import java.util.List;

/**
 * Rows cut into pieces of similar size.
 *
 * @param cuts where pieces begin, and where the last one ends
 */
record Pieces(List<Key> cuts) {
  Key begin() {
    return cuts.getFirst();
  }

  Key end() {
    return cuts.getLast();
  }

  int count() {
    return cuts.size() - 1;
  }

  /** How many pieces end at or before {@code key}. */
  int before(Key key) {
    int found = Collections.binarySearch(cuts, key);
    return found >= 0 ? found : -found - 2;
  }

  /** What the piece at {@code key} has from there on. */
  KeyRange from(Key key) {
    return KeyRange.of(key, cuts.get(before(key) + 1));
  }

  /** The pieces from {@code first} on to before {@code last}, together. */
  KeyRange between(int first, int last) {
    return KeyRange.of(cuts.get(first), cuts.get(last));
  }
}
