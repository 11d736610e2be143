package dev.tidemark.kv.spi.commit;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as it is handed to an engine. The collections do not change any more.
 *
 * <p>Writes take effect in this order: {@code clears}, {@code writes}, {@code stampedSets}.
 *
 * @param readVersion the version it read, or -1 if it read nothing
 * @param readKeys keys that must not have been written since
 * @param readRanges ranges in which nothing must have been written since
 * @param clears ranges to clear, begin to end, neither overlapping nor touching
 * @param writes what to do to single keys
 * @param stampedSets keys to set that contain the versionstamp
 * @param writeConflicts ranges that count as written beside these
 * @param quiet ranges, begin to end, whose clears and writes others do not conflict with
 * @param id by which its fate can be asked for; null if nobody will
 */
public record Commit(
    long readVersion,
    Collection<Key> readKeys,
    List<KeyRange> readRanges,
    NavigableMap<Key, Key> clears,
    NavigableMap<Key, Write> writes,
    List<StampedSet> stampedSets,
    List<KeyRange> writeConflicts,
    NavigableMap<Key, Key> quiet,
    @Nullable CommitId id) {
  /**
   * Whether it holds only if nothing has happened since {@link #readVersion}: to what it read, or,
   * if it has an id, to that.
   */
  public boolean hasReads() {
    return id != null || !readKeys.isEmpty() || !readRanges.isEmpty();
  }

  /** Keys of {@code writes} that others conflict with. */
  public Collection<Key> conflictingKeys() {
    if (quiet.isEmpty()) {
      return writes.keySet();
    }
    List<Key> loud = new ArrayList<>(writes.size());
    Iterator<Map.Entry<Key, Key>> ranges = quiet.entrySet().iterator();
    Map.Entry<Key, Key> range = ranges.next();
    for (Key key : writes.keySet()) {
      while (range != null && range.getValue().compareTo(key) <= 0) {
        range = ranges.hasNext() ? ranges.next() : null;
      }
      if (range == null || key.compareTo(range.getKey()) < 0) {
        loud.add(key);
      }
    }
    return loud;
  }

  /** Whether others do not conflict with the write of {@code key}. */
  public boolean isQuiet(Key key) {
    Map.Entry<Key, Key> floor = quiet.floorEntry(key);
    return floor != null && key.compareTo(floor.getValue()) < 0;
  }

  /** Ranges beside {@link #conflictingKeys} that others conflict with. */
  public List<KeyRange> conflictingRanges() {
    if (clears.isEmpty()) {
      return writeConflicts;
    }
    KeyRanges loud = new KeyRanges();
    clears.forEach(loud::add);
    quiet.forEach(loud::remove);
    List<KeyRange> ranges = loud.list();
    ranges.addAll(writeConflicts);
    return ranges;
  }

  /**
   * Those of {@code clears} that take effect before {@code stampedSets}: all but what is cleared
   * after one of them, and so need not be before.
   */
  public List<KeyRange> clearsBeforeStampedSets() {
    KeyRanges after = new KeyRanges();
    for (StampedSet set : stampedSets) {
      set.clearedNext().forEach(range -> after.add(range.begin(), range.end()));
    }
    List<KeyRange> before = new ArrayList<>(clears.size());
    clears.forEach(
        (begin, end) -> {
          // Not only what is left of it, which may be many ranges.
          if (!after.covers(begin, end)) {
            before.add(KeyRange.of(begin, end));
          }
        });
    return before;
  }

  /** The parts of a cleared {@code range} that others conflict with. */
  public List<KeyRange> loudParts(KeyRange range) {
    KeyRanges loud = new KeyRanges();
    loud.add(range.begin(), range.end());
    quietAbout(range).forEach(loud::remove);
    return loud.list();
  }

  /** The parts of a cleared {@code range} that others do not conflict with. */
  public List<KeyRange> quietParts(KeyRange range) {
    KeyRanges rest = new KeyRanges();
    rest.add(range.begin(), range.end());
    loudParts(range).forEach(loud -> rest.remove(loud.begin(), loud.end()));
    return rest.list();
  }

  /** All of {@code quiet} that meets {@code range}, and at most one before it. */
  private NavigableMap<Key, Key> quietAbout(KeyRange range) {
    Key floor = quiet.floorKey(range.begin());
    return quiet.subMap(floor == null ? range.begin() : floor, true, range.end(), false);
  }

  /**
   * A set of a key that is known only at commit.
   *
   * @param key what the key is made from
   * @param value its value, never changed
   * @param quiet whether others do not conflict with it
   * @param number how many such sets came before it
   * @param clearedNext ranges that were cleared after it, and last before the next one
   * @param later what was cleared after it and after the others
   */
  @SuppressWarnings("ArrayRecordComponent") // private to the engines, which do not compare writes
  public record StampedSet(
      StampTemplate key,
      byte[] value,
      boolean quiet,
      int number,
      List<KeyRange> clearedNext,
      LaterClears later) {
    /** Whether the key, when it has become {@code made}, is cleared by its own transaction. */
    public boolean isCleared(Key made) {
      return later.setsBefore(made) > number;
    }
  }

  /**
   * Where a commit stands in the order of all commits.
   *
   * @param version the version it made
   * @param batch its number within that version
   */
  public record Position(long version, int batch) {}
}
