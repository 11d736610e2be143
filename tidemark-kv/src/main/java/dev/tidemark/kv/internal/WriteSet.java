package dev.tidemark.kv.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one transaction, in the form in which they are read back and committed: cleared
 * ranges first, then one {@link Write} a key on top of them, then sets of versionstamped keys.
 *
 * <p>Not safe for several threads; the transaction guards it.
 */
final class WriteSet {
  private final Limits limits;
  private final TreeMap<Key, Write> writes = new TreeMap<>();

  /** Begin to end of ranges that neither overlap nor touch. */
  private final TreeMap<Key, Key> clears = new TreeMap<>();

  private final List<Commit.StampedSet> stampedSets = new ArrayList<>();

  /** Contains all keys that a stamped set may become; null without one. */
  private @Nullable KeyRange unreadable;

  private long size;

  WriteSet(Limits limits) {
    this.limits = limits;
  }

  boolean isEmpty() {
    return writes.isEmpty() && clears.isEmpty() && stampedSets.isEmpty();
  }

  /** Bytes of all keys and values to be written. */
  long size() {
    return size;
  }

  void set(Key key, byte[] value) {
    put(key, new Write.Put(value));
  }

  void clear(Key key) {
    put(key, Write.CLEAR);
  }

  void clear(KeyRange range) {
    NavigableMap<Key, Write> inside = writes.subMap(range.begin(), true, range.end(), false);
    inside.forEach((key, write) -> size -= key.size() + write.size());
    inside.clear();
    stampedSets.removeIf(set -> isClearedWhole(set, range));
    stampedSets.replaceAll(
        set -> set.possibleKeys().intersects(range) ? set.clearedLater(range) : set);
    addClear(range.begin(), range.end());
  }

  void mutate(MutationType type, Key key, byte[] operand) {
    Write.Operation operation = new Write.Operation(type, operand);
    Write before = writes.get(key);
    if (type.isVersionstamped() || (before == null && !isCleared(key))) {
      put(key, new Write.Mutate(List.of(operation)));
    } else if (before instanceof Write.Mutate mutations) {
      put(key, mutations.then(operation, limits));
    } else {
      byte[] existing = before == null ? null : before.applyTo(null, key, limits);
      byte[] after = new Write.Mutate(List.of(operation)).applyTo(existing, key, limits);
      put(key, after == null ? Write.CLEAR : new Write.Put(after));
    }
  }

  /** Sets a key made from {@code template} by a commit after {@code readVersion}. */
  void setStamped(StampTemplate template, byte[] value, long readVersion) {
    KeyRange possible = KeyRange.of(template.lowest(readVersion), template.highest().next());
    stampedSets.add(new Commit.StampedSet(template, value, possible, List.of()));
    KeyRange before = unreadable;
    unreadable =
        before == null
            ? possible
            : KeyRange.of(min(before.begin(), possible.begin()), max(before.end(), possible.end()));
    size += template.size() + value.length;
  }

  /** What is done to {@code key}; null if nothing is. */
  @Nullable Write find(Key key) {
    Write write = writes.get(key);
    return write == null && isCleared(key) ? Write.CLEAR : write;
  }

  /** Whether {@code key} may become a versionstamped one, so that it cannot be read. */
  boolean isUnreadable(Key key) {
    KeyRange hull = unreadable;
    return hull != null
        && hull.contains(key)
        && stampedSets.stream().anyMatch(set -> set.possibleKeys().contains(key));
  }

  /** The first key in a range that cannot be read; null for none. */
  @Nullable Key firstUnreadable(Key begin, Key end) {
    if (isReadable(begin, end)) {
      return null;
    }
    Key first = null;
    for (Commit.StampedSet set : stampedSets) {
      KeyRange possible = set.possibleKeys();
      if (possible.begin().compareTo(end) < 0 && begin.compareTo(possible.end()) < 0) {
        Key from = possible.begin().compareTo(begin) < 0 ? begin : possible.begin();
        first = first == null || from.compareTo(first) < 0 ? from : first;
      }
    }
    return first;
  }

  /** The end of the last range of keys below {@code end} that cannot be read; null for none. */
  @Nullable Key lastUnreadableEnd(Key begin, Key end) {
    if (isReadable(begin, end)) {
      return null;
    }
    Key last = null;
    for (Commit.StampedSet set : stampedSets) {
      KeyRange possible = set.possibleKeys();
      if (possible.begin().compareTo(end) < 0 && begin.compareTo(possible.end()) < 0) {
        Key to = possible.end().compareTo(end) < 0 ? possible.end() : end;
        last = last == null || to.compareTo(last) > 0 ? to : last;
      }
    }
    return last;
  }

  /** Whether a read of this range is the same with and without these writes. */
  boolean leavesUntouched(Key begin, Key end) {
    if (isEmpty()) {
      return true;
    }
    Key written = writes.ceilingKey(begin);
    Map.Entry<Key, Key> cleared = clears.lowerEntry(end);
    return (written == null || written.compareTo(end) >= 0)
        && (cleared == null || cleared.getValue().compareTo(begin) <= 0)
        && firstUnreadable(begin, end) == null;
  }

  /** The writes in a range, ascending or descending. */
  NavigableMap<Key, Write> between(Key begin, Key end, boolean reverse) {
    NavigableMap<Key, Write> part = writes.subMap(begin, true, end, false);
    return reverse ? part.descendingMap() : part;
  }

  /** The cleared range that contains {@code key}, or else the first one after it; null for none. */
  Map.@Nullable Entry<Key, Key> clearAtOrAfter(Key key) {
    Map.Entry<Key, Key> floor = clears.floorEntry(key);
    return floor != null && key.compareTo(floor.getValue()) < 0 ? floor : clears.higherEntry(key);
  }

  /** The last cleared range that begins before {@code end}; null for none. */
  Map.@Nullable Entry<Key, Key> clearBefore(Key end) {
    return clears.lowerEntry(end);
  }

  /** All cleared ranges, begin to end. */
  NavigableMap<Key, Key> clears() {
    return Collections.unmodifiableNavigableMap(clears);
  }

  /** All writes of single keys. */
  NavigableMap<Key, Write> writes() {
    return Collections.unmodifiableNavigableMap(writes);
  }

  /** All sets of versionstamped keys. */
  List<Commit.StampedSet> stampedSets() {
    return List.copyOf(stampedSets);
  }

  private void put(Key key, Write write) {
    Write before = writes.put(key, write);
    size += write.size() + (before == null ? key.size() : -before.size());
  }

  private boolean isCleared(Key key) {
    Map.Entry<Key, Key> floor = clears.floorEntry(key);
    return floor != null && key.compareTo(floor.getValue()) < 0;
  }

  private boolean isClearedWhole(Commit.StampedSet set, KeyRange range) {
    KeyRange possible = set.possibleKeys();
    boolean whole =
        range.begin().compareTo(possible.begin()) <= 0
            && possible.end().compareTo(range.end()) <= 0;
    size -= whole ? set.key().size() + set.value().length : 0;
    return whole;
  }

  private void addClear(Key begin, Key end) {
    Key from = begin;
    Key to = end;
    Map.Entry<Key, Key> before = clears.floorEntry(begin);
    if (before != null && begin.compareTo(before.getValue()) <= 0) {
      from = before.getKey();
      to = max(to, before.getValue());
    }
    NavigableMap<Key, Key> swallowed = clears.subMap(from, true, end, true);
    for (Map.Entry<Key, Key> range : swallowed.entrySet()) {
      to = max(to, range.getValue());
      size -= range.getKey().size() + range.getValue().size();
    }
    swallowed.clear();
    clears.put(from, to);
    size += from.size() + to.size();
  }

  private boolean isReadable(Key begin, Key end) {
    KeyRange hull = unreadable;
    return hull == null || end.compareTo(hull.begin()) <= 0 || hull.end().compareTo(begin) <= 0;
  }

  private static Key min(Key left, Key right) {
    return left.compareTo(right) <= 0 ? left : right;
  }

  private static Key max(Key left, Key right) {
    return left.compareTo(right) >= 0 ? left : right;
  }
}
