package dev.tidemark.testkit.model;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A set of keys made of ranges. */
final class Ranges {
  /** Begin to end of ranges that neither overlap nor touch. */
  private final TreeMap<Key, Key> ends = new TreeMap<>();

  void add(KeyRange range) {
    if (range.isEmpty()) {
      return;
    }
    Key begin = range.begin();
    Key end = range.end();
    Map.Entry<Key, Key> before = ends.floorEntry(begin);
    if (before != null && before.getValue().compareTo(begin) >= 0) {
      begin = before.getKey();
    }
    Map<Key, Key> absorbed = ends.subMap(begin, true, end, true);
    for (Key other : absorbed.values()) {
      end = end.compareTo(other) >= 0 ? end : other;
    }
    absorbed.clear();
    ends.put(begin, end);
  }

  void remove(KeyRange range) {
    List<KeyRange> before = list();
    ends.clear();
    for (KeyRange each : before) {
      if (each.intersects(range)) {
        addIfNotInverted(each.begin(), range.begin());
        addIfNotInverted(range.end(), each.end());
      } else {
        add(each);
      }
    }
  }

  private void addIfNotInverted(Key begin, Key end) {
    if (begin.compareTo(end) < 0) {
      add(KeyRange.of(begin, end));
    }
  }

  boolean contains(Key key) {
    return firstIn(KeyRange.single(key)).isPresent();
  }

  /** The first key of {@code range} that is in the set. */
  Optional<Key> firstIn(KeyRange range) {
    if (range.isEmpty()) {
      return Optional.empty();
    }
    Map.Entry<Key, Key> before = ends.floorEntry(range.begin());
    if (before != null && before.getValue().compareTo(range.begin()) > 0) {
      return Optional.of(range.begin());
    }
    return Optional.ofNullable(ends.ceilingKey(range.begin()))
        .filter(key -> key.compareTo(range.end()) < 0);
  }

  /** The parts of {@code range} that are not in the set. */
  List<KeyRange> outside(KeyRange range) {
    List<KeyRange> gaps = new ArrayList<>();
    Key from = range.begin();
    while (from.compareTo(range.end()) < 0) {
      Key gapEnd = firstIn(KeyRange.of(from, range.end())).orElse(range.end());
      if (from.compareTo(gapEnd) < 0) {
        gaps.add(KeyRange.of(from, gapEnd));
      }
      Map.Entry<Key, Key> covering = ends.floorEntry(gapEnd);
      from =
          covering != null && covering.getValue().compareTo(gapEnd) > 0
              ? covering.getValue()
              : range.end();
    }
    return gaps;
  }

  List<KeyRange> list() {
    return ends.entrySet().stream().map(e -> KeyRange.of(e.getKey(), e.getValue())).toList();
  }
}
