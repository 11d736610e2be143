package dev.tidemark.kv.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;

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
 */
public record Commit(
    long readVersion,
    Collection<Key> readKeys,
    List<KeyRange> readRanges,
    NavigableMap<Key, Key> clears,
    NavigableMap<Key, Write> writes,
    List<StampedSet> stampedSets,
    List<KeyRange> writeConflicts) {
  /**
   * A set of a key that is known only at commit.
   *
   * @param key what the key is made from
   * @param value its value, never changed
   * @param possibleKeys where the key will lie
   * @param clearedLater ranges that the transaction cleared after it
   */
  @SuppressWarnings("ArrayRecordComponent") // private to the engines, which do not compare writes
  public record StampedSet(
      StampTemplate key, byte[] value, KeyRange possibleKeys, List<KeyRange> clearedLater) {
    StampedSet clearedLater(KeyRange range) {
      List<KeyRange> all = new ArrayList<>(clearedLater);
      all.add(range);
      return new StampedSet(key, value, possibleKeys, List.copyOf(all));
    }

    /** Whether the key, when it has become {@code made}, is cleared by its own transaction. */
    public boolean isCleared(Key made) {
      return clearedLater.stream().anyMatch(range -> range.contains(made));
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
