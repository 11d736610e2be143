package dev.tidemark.kv.spi;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * What a transaction has read and others may therefore not change.
 *
 * <p>Not safe for several threads; the transaction guards it.
 */
final class ReadSet {
  /** Duplicates are removed now and then, which costs less than looking for each at once. */
  private static final int ENTRIES_BEFORE_TIDYING = 1_024;

  private List<Key> keys = new ArrayList<>(4);
  private int tidyAt = ENTRIES_BEFORE_TIDYING;
  private final List<KeyRange> ranges = new ArrayList<>();
  private long size;

  /** Bytes of all keys and range ends. */
  long size() {
    return size;
  }

  void add(Key key) {
    keys.add(key);
    size += key.size();
    tidyIfLarge();
  }

  /** Removes duplicate keys and joins ranges that overlap. */
  void tidy() {
    if (keys.size() < 2 && ranges.size() < 2) {
      return;
    }
    keys = new ArrayList<>(new LinkedHashSet<>(keys));
    List<KeyRange> apart = new ArrayList<>(ranges);
    apart.sort(Comparator.comparing(KeyRange::begin));
    ranges.clear();
    size = 0;
    keys.forEach(key -> size += key.size());
    apart.forEach(range -> join(range.begin(), range.end()));
  }

  /**
   * Adds a range; one that goes on where the last one ended, as portions of a scan do, joins it.
   */
  void add(Key begin, Key end) {
    if (begin.compareTo(end) < 0) {
      join(begin, end);
      tidyIfLarge();
    }
  }

  private void tidyIfLarge() {
    if (keys.size() + ranges.size() >= tidyAt) {
      tidy();
      tidyAt = Math.max(ENTRIES_BEFORE_TIDYING, 2 * (keys.size() + ranges.size()));
    }
  }

  private void join(Key begin, Key end) {
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
    return Collections.unmodifiableList(keys);
  }

  List<KeyRange> ranges() {
    return Collections.unmodifiableList(ranges);
  }
}
