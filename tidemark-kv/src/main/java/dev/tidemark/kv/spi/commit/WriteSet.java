package dev.tidemark.kv.spi.commit;

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
public final class WriteSet {
  private final Limits limits;
  private final TreeMap<Key, Write> writes = new TreeMap<>();
  private final KeyRanges clears = new KeyRanges();
  private final List<Stamped> stampedSets = new ArrayList<>();
  private final LaterClears laterClears = new LaterClears();

  /**
   * What stamped sets may become, without what was cleared after them, and without those that are
   * {@link #unnoted}.
   */
  private final KeyRanges unreadable = new KeyRanges();

  /** Stamped sets since the last read or clear: most transactions that have any do neither. */
  private final List<Possible> unnoted = new ArrayList<>(0);

  /**
   * What is written only by writes that others need not conflict with; null while there was none.
   */
  private @Nullable KeyRanges quiet;

  private boolean nextIsQuiet;

  /** Bytes of the writes and the stamped sets. */
  private long size;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Stamped(StampTemplate key, byte[] value, boolean quiet) {}

  /** A set of a key made from {@code key} by a commit after {@code readVersion}. */
  private record Possible(StampTemplate key, long readVersion) {}

  /** No writes yet, of a transaction with {@code limits}. */
  public WriteSet(Limits limits) {
    this.limits = limits;
  }

  /** Whether nothing is written. */
  public boolean isEmpty() {
    return writes.isEmpty() && clears.isEmpty() && stampedSets.isEmpty();
  }

  /** Bytes of all keys and values to be written. */
  public long size() {
    return size + clears.size();
  }

  /** Excludes the next write from the write conflicts. */
  public void nextWithoutConflict() {
    nextIsQuiet = true;
    quiet = quiet == null ? new KeyRanges() : quiet;
  }

  /** Sets {@code key} to {@code value}, which is kept. */
  public void set(Key key, byte[] value) {
    noteConflicts(key);
    put(key, new Write.Put(value));
  }

  /** Clears {@code key}. */
  public void clear(Key key) {
    noteConflicts(key);
    put(key, Write.CLEAR);
  }

  /** Clears every key in {@code range}, and what was written there before. */
  public void clear(KeyRange range) {
    if (range.isEmpty()) {
      nextIsQuiet = false;
      return;
    }
    noteConflicts(range.begin(), range.end());
    NavigableMap<Key, Write> inside = writes.subMap(range.begin(), true, range.end(), false);
    inside.forEach((key, write) -> size -= key.size() + write.size());
    inside.clear();
    laterClears.clear(range.begin(), range.end());
    unreadable().remove(range.begin(), range.end());
    clears.add(range.begin(), range.end());
  }

  /**
   * Changes {@code key} by {@code operand}, which is kept. The result is computed here where the
   * value is known, and by the commit otherwise.
   */
  public void mutate(MutationType type, Key key, byte[] operand) {
    noteConflicts(key);
    Write.Operation operation = new Write.Operation(type, operand);
    Write before = writes.get(key);
    if (type.isVersionstamped() || (before == null && !clears.contains(key))) {
      put(key, new Write.Mutate(operation));
    } else if (before instanceof Write.Mutate mutations) {
      put(key, mutations.then(operation, limits));
    } else {
      byte[] existing = before == null ? null : before.applyTo(null, key, limits);
      byte[] after = new Write.Mutate(operation).applyTo(existing, key, limits);
      put(key, after == null ? Write.CLEAR : new Write.Put(after));
    }
  }

  /** Sets a key made from {@code template} by a commit after {@code readVersion}. */
  public void setStamped(StampTemplate template, byte[] value, long readVersion) {
    stampedSets.add(new Stamped(template, value, nextIsQuiet));
    laterClears.set(template);
    nextIsQuiet = false;
    unnoted.add(new Possible(template, readVersion));
    size += template.size() + value.length;
  }

  /** What is done to {@code key}; null if nothing is. */
  public @Nullable Write find(Key key) {
    Write write = writes.get(key);
    return write == null && clears.contains(key) ? Write.CLEAR : write;
  }

  private KeyRanges unreadable() {
    for (Possible set : unnoted) {
      KeyRange possible = set.key().possibleKeys(set.readVersion());
      unreadable.add(possible.begin(), possible.end());
    }
    unnoted.clear();
    return unreadable;
  }

  /** Whether {@code key} may become a versionstamped one, so that it cannot be read. */
  public boolean isUnreadable(Key key) {
    return unreadable().contains(key);
  }

  /** The first key in a range that cannot be read; null for none. */
  public @Nullable Key firstUnreadable(Key begin, Key end) {
    Map.Entry<Key, Key> first = unreadable().atOrAfter(begin);
    if (first == null || first.getKey().compareTo(end) >= 0) {
      return null;
    }
    return first.getKey().compareTo(begin) < 0 ? begin : first.getKey();
  }

  /** The end of the last range of keys below {@code end} that cannot be read; null for none. */
  public @Nullable Key lastUnreadableEnd(Key begin, Key end) {
    Map.Entry<Key, Key> last = unreadable().before(end);
    if (last == null || last.getValue().compareTo(begin) <= 0) {
      return null;
    }
    return last.getValue().compareTo(end) < 0 ? last.getValue() : end;
  }

  /** Whether a read of this range is the same with and without these writes. */
  public boolean leavesUntouched(Key begin, Key end) {
    if (isEmpty()) {
      return true;
    }
    Key written = writes.ceilingKey(begin);
    Map.Entry<Key, Key> cleared = clears.before(end);
    return (written == null || written.compareTo(end) >= 0)
        && (cleared == null || cleared.getValue().compareTo(begin) <= 0)
        && firstUnreadable(begin, end) == null;
  }

  /** The writes in a range, ascending or descending. */
  public NavigableMap<Key, Write> between(Key begin, Key end, boolean reverse) {
    NavigableMap<Key, Write> part = writes.subMap(begin, true, end, false);
    return reverse ? part.descendingMap() : part;
  }

  /** The cleared range that contains {@code key}, or else the first one after it; null for none. */
  public Map.@Nullable Entry<Key, Key> clearAtOrAfter(Key key) {
    return clears.atOrAfter(key);
  }

  /** The last cleared range that begins before {@code end}; null for none. */
  public Map.@Nullable Entry<Key, Key> clearBefore(Key end) {
    return clears.before(end);
  }

  /** All cleared ranges, begin to end. */
  public NavigableMap<Key, Key> clears() {
    return clears.view();
  }

  /** All writes of single keys. */
  public NavigableMap<Key, Write> writes() {
    return Collections.unmodifiableNavigableMap(writes);
  }

  /** All sets of versionstamped keys, those that were cleared again too. */
  public List<Commit.StampedSet> stampedSets() {
    if (stampedSets.isEmpty()) {
      return List.of();
    }
    List<List<KeyRange>> cleared = laterClears.bySet();
    List<Commit.StampedSet> all = new ArrayList<>(stampedSets.size());
    for (Stamped set : stampedSets) {
      int i = all.size();
      all.add(
          new Commit.StampedSet(
              set.key(), set.value(), set.quiet(), i, cleared.get(i), laterClears));
    }
    return all;
  }

  /** Written ranges that are excluded from the write conflicts, begin to end. */
  public NavigableMap<Key, Key> quiet() {
    return quiet == null ? Collections.emptyNavigableMap() : quiet.view();
  }

  private void noteConflicts(Key key) {
    KeyRanges ranges = quiet;
    if (ranges == null) {
      return;
    }
    if (!nextIsQuiet) {
      ranges.remove(key, key.next());
    } else if (find(key) == null) {
      ranges.add(key, key.next());
    }
    nextIsQuiet = false;
  }

  /** Notes whether the write that follows conflicts with readers. */
  private void noteConflicts(Key begin, Key end) {
    KeyRanges ranges = quiet;
    if (ranges == null) {
      return;
    }
    if (nextIsQuiet) {
      unwritten(begin, end).view().forEach(ranges::add);
    } else {
      ranges.remove(begin, end);
    }
    nextIsQuiet = false;
  }

  /** What of a range has not been written yet; the rest is quiet or not as it was. */
  private KeyRanges unwritten(Key begin, Key end) {
    KeyRanges rest = new KeyRanges();
    rest.add(begin, end);
    Map.Entry<Key, Key> first = clears.atOrAfter(begin);
    if (first != null && first.getKey().compareTo(end) < 0) {
      clears.view().subMap(first.getKey(), end).forEach(rest::remove);
    }
    writes.subMap(begin, end).keySet().forEach(key -> rest.remove(key, key.next()));
    return rest;
  }

  private void put(Key key, Write write) {
    Write before = writes.put(key, write);
    size += write.size() + (before == null ? key.size() : -before.size());
  }
}
