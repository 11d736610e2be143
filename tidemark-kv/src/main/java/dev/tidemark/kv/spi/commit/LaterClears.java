package dev.tidemark.kv.spi.commit;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which ranges a transaction cleared after which of its sets of versionstamped keys. A range that
 * was cleared after one set was cleared after every earlier one; so it is enough to know, for every
 * key, how many sets came before it was cleared last. Ranges in which no set can be any more are
 * not kept: a key outside was never made, or was cleared after the last set that can make it.
 *
 * <p>Not safe for several threads.
 */
final class LaterClears {
  /** From each key on, up to the next one, how many sets came before the last clear. */
  private final TreeMap<Key, Integer> setsBefore = new TreeMap<>();

  /** What sets may become in any commit, without what was cleared after them. */
  private final KeyRanges open = new KeyRanges();

  /** Sets that are not in {@link #open} yet, since nothing was cleared after them. */
  private final List<StampTemplate> fresh = new ArrayList<>();

  private int sets;

  /** Notes the next set. */
  void set(StampTemplate key) {
    fresh.add(key);
    sets++;
  }

  /** Notes that a range is cleared after the sets so far. */
  void clear(Key begin, Key end) {
    for (StampTemplate key : fresh) {
      // Of any version: one that was set to be read need not have been committed.
      KeyRange possible = key.possibleKeys(0);
      open.add(possible.begin(), possible.end());
    }
    fresh.clear();
    if (open.meets(begin, end)) {
      open.remove(begin, end);
      note(begin, end);
    }
  }

  private void note(Key begin, Key end) {
    int behind = setsBefore(end);
    setsBefore.subMap(begin, true, end, true).clear();
    if (setsBefore(begin) != sets) {
      setsBefore.put(begin, sets);
    }
    if (behind != sets) {
      setsBefore.put(end, behind);
    }
  }

  /** How many sets came before the last clear of {@code key}; zero if none did. */
  int setsBefore(Key key) {
    Map.Entry<Key, Integer> at = setsBefore.floorEntry(key);
    return at == null ? 0 : at.getValue();
  }

  /** For each set the ranges that were last cleared between it and the next one. */
  List<List<KeyRange>> bySet() {
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
