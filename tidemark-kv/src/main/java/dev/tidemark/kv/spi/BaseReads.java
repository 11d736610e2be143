package dev.tidemark.kv.spi;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.spi.scan.ScanPortion;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one committed version, as an engine provides them. Safe for several threads. Values that
 * it returns are the caller's to keep.
 */
public interface BaseReads extends AutoCloseable {
  /** The version. */
  long version();

  /** The value of {@code key}, or null. */
  byte @Nullable [] get(Key key);

  /**
   * A value that was read without waiting for a disk or a network.
   *
   * @param value null if the key has none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record AtHand(byte @Nullable [] value) {}

  /** The value of {@code key} if it is in memory; null if reading it may block. */
  default @Nullable AtHand getAtHand(Key key) {
    return null;
  }

  /** The values of those {@code keys} that have one. */
  Map<Key, byte[]> getAll(Collection<Key> keys);

  /**
   * The rows from {@code begin} (included) to {@code end} (excluded): at most {@code rows}, and
   * none after the row with which {@code bytes} are reached. Descending from {@code end} if {@code
   * reverse}.
   */
  ScanPortion scan(Key begin, Key end, int rows, int bytes, boolean reverse);

  /**
   * The same, with rows that may be shared with others: neither they nor their values may be
   * changed. For a server, which only looks at them.
   */
  default ScanPortion scanShared(Key begin, Key end, int rows, int bytes, boolean reverse) {
    return scan(begin, end, rows, bytes, reverse);
  }

  /**
   * Whether it is known, without reading, that the rows from {@code begin} (included) to {@code
   * end} (excluded) are the same as in version {@code since}. False says nothing.
   */
  default boolean isUnchanged(Key begin, Key end, long since) {
    return false;
  }

  /** Releases the version. */
  @Override
  void close();
}
