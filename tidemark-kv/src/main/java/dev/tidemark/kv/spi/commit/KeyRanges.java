package dev.tidemark.kv.spi.commit;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of keys, kept as ranges that neither overlap nor touch.
 *
 * <p>Not safe for several threads.
 */
final class KeyRanges {
  /** Begin to end. */
  private final TreeMap<Key, Key> ends = new TreeMap<>();

  private long size;

  boolean isEmpty() {
    return ends.isEmpty();
  }

  /** Bytes of all begins and ends. */
  long size() {
    return size;
  }

  boolean contains(Key key) {
    Map.Entry<Key, Key> floor = ends.floorEntry(key);
    return floor != null && key.compareTo(floor.getValue()) < 0;
  }

  /** Whether all keys of a range are in the set. */
  boolean covers(Key begin, Key end) {
    Map.Entry<Key, Key> floor = ends.floorEntry(begin);
    return floor != null && end.compareTo(floor.getValue()) <= 0;
  }

  /** Whether any key of a range is in the set. */
  boolean meets(Key begin, Key end) {
    Map.Entry<Key, Key> last = ends.lowerEntry(end);
    return last != null && begin.compareTo(last.getValue()) < 0;
  }

  void add(Key begin, Key end) {
    if (ends.isEmpty()) {
      put(begin, end);
      return;
    }
    Key from = begin;
    Key to = end;
    Map.Entry<Key, Key> before = ends.floorEntry(begin);
    if (before != null && begin.compareTo(before.getValue()) <= 0) {
      from = before.getKey();
      to = max(to, before.getValue());
    }
    NavigableMap<Key, Key> swallowed = ends.subMap(from, true, end, true);
    for (Map.Entry<Key, Key> range : swallowed.entrySet()) {
      to = max(to, range.getValue());
      size -= range.getKey().size() + range.getValue().size();
    }
    swallowed.clear();
    put(from, to);
  }

  void remove(Key begin, Key end) {
    for (Map.Entry<Key, Key> range = atOrAfter(begin);
        range != null && range.getKey().compareTo(end) < 0;
        range = atOrAfter(begin)) {
      ends.remove(range.getKey());
      size -= range.getKey().size() + range.getValue().size();
      if (range.getKey().compareTo(begin) < 0) {
        put(range.getKey(), begin);
      }
      if (end.compareTo(range.getValue()) < 0) {
        put(end, range.getValue());
      }
    }
  }

  /** The range that contains {@code key}, or else the first one after it; null for none. */
  Map.@Nullable Entry<Key, Key> atOrAfter(Key key) {
    Map.Entry<Key, Key> floor = ends.floorEntry(key);
    return floor != null && key.compareTo(floor.getValue()) < 0 ? floor : ends.higherEntry(key);
  }

  /** The last range that begins before {@code end}; null for none. */
  Map.@Nullable Entry<Key, Key> before(Key end) {
    return ends.lowerEntry(end);
  }

  /** The ranges, begin to end, as they are at any time. */
  NavigableMap<Key, Key> view() {
    return Collections.unmodifiableNavigableMap(ends);
  }

  /** The ranges as they are now. */
  List<KeyRange> list() {
    List<KeyRange> ranges = new ArrayList<>(ends.size());
    ends.forEach((begin, end) -> ranges.add(KeyRange.of(begin, end)));
    return ranges;
  }

  private void put(Key begin, Key end) {
    ends.put(begin, end);
    size += begin.size() + end.size();
  }

  private static Key max(Key left, Key right) {
    return left.compareTo(right) >= 0 ? left : right;
  }
}
