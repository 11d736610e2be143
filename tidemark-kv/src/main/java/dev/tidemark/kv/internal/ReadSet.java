package dev.tidemark.kv.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a transaction has read and others may therefore not change.
 *
 * <p>Not safe for several threads; the transaction guards it.
 */
final class ReadSet {
  private final Set<Key> keys = new HashSet<>();
  private final List<KeyRange> ranges = new ArrayList<>();
  private long size;

  /** Bytes of all keys and range ends. */
  long size() {
    return size;
  }

  void add(Key key) {
    if (keys.add(key)) {
      size += key.size();
    }
  }

  /**
   * Adds a range; one that goes on where the last one ended, as portions of a scan do, joins it.
   */
  void add(Key begin, Key end) {
    if (begin.compareTo(end) >= 0) {
      return;
    }
    KeyRange added = KeyRange.of(begin, end);
    if (!ranges.isEmpty()) {
      KeyRange last = ranges.getLast();
      boolean touches = begin.compareTo(last.end()) <= 0 && last.begin().compareTo(end) <= 0;
      if (touches) {
        ranges.removeLast();
        size -= last.begin().size() + last.end().size();
        added =
            KeyRange.of(
                begin.compareTo(last.begin()) <= 0 ? begin : last.begin(),
                end.compareTo(last.end()) >= 0 ? end : last.end());
      }
    }
    ranges.add(added);
    size += added.begin().size() + added.end().size();
  }

  Collection<Key> keys() {
    return Collections.unmodifiableSet(keys);
  }

  List<KeyRange> ranges() {
    return Collections.unmodifiableList(ranges);
  }
}
