package dev.tidemark.kv.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which ranges a transaction cleared after which of its sets of versionstamped keys. A range that
 * was cleared after one set was cleared after every earlier one; so it is enough to know, for every
 * key, how many sets came before it was cleared last.
 *
 * <p>Not safe for several threads.
 */
final class LaterClears {
  /** From each key on, up to the next one, how many sets came before the last clear. */
  private final TreeMap<Key, Integer> setsBefore = new TreeMap<>();

  /** Notes that a range is cleared after so many sets. */
  void add(Key begin, Key end, int sets) {
    int behind = setsBefore(end);
    setsBefore.subMap(begin, end).clear();
    setsBefore.put(begin, sets);
    setsBefore.putIfAbsent(end, behind);
  }

  /** How many sets came before the last clear of {@code key}; zero if none did. */
  int setsBefore(Key key) {
    Map.Entry<Key, Integer> at = setsBefore.floorEntry(key);
    return at == null ? 0 : at.getValue();
  }

  /** For each of so many sets the ranges that were last cleared between it and the next one. */
  List<List<KeyRange>> bySet(int sets) {
    List<List<KeyRange>> bySet = new ArrayList<>(sets);
    for (int i = 0; i < sets; i++) {
      bySet.add(new ArrayList<>(0));
    }
    Key begin = Key.EMPTY;
    int before = 0;
    for (Map.Entry<Key, Integer> next : setsBefore.entrySet()) {
      if (before > 0) {
        bySet.get(before - 1).add(KeyRange.of(begin, next.getKey()));
      }
      begin = next.getKey();
      before = next.getValue();
    }
    return bySet;
  }
}
