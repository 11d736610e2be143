package dev.tidemark.embedded.internal.storage;

import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a range into pieces of similar size. What is stored in the range is halved by the value of
 * its first and last key, as if keys were spread evenly, until the pieces are estimated to be small
 * enough; cuts are keys that are stored.
 */
public final class SplitPoints {
  private static final int DEPTH_MAX = 64;
  private static final int POINTS_MAX = 100_000;

  private final RocksStorage storage;
  private final PinnedVersion version;
  private final long pieceBytes;
  private final List<Key> points = new ArrayList<>();

  private SplitPoints(RocksStorage storage, PinnedVersion version, long pieceBytes) {
    this.storage = storage;
    this.version = version;
    this.pieceBytes = pieceBytes;
  }

  public static List<Key> of(
      RocksStorage storage, PinnedVersion version, KeyRange range, long pieceBytes) {
    SplitPoints split = new SplitPoints(storage, version, pieceBytes);
    split.points.add(range.begin());
    split.cut(range.begin().unsafeBytes(), range.end().unsafeBytes(), DEPTH_MAX);
    if (!range.isEmpty()) {
      split.points.add(range.end());
    }
    return List.copyOf(split.points);
  }

  private void cut(byte[] begin, byte[] end, int depth) {
    if (depth == 0
        || points.size() >= POINTS_MAX
        || storage.estimatedSize(begin, end) < pieceBytes + pieceBytes / 2) {
      return;
    }
    List<KeyValue> last = version.scan(begin, end, 1, 1, true).rows();
    if (last.isEmpty()) {
      return;
    }
    byte[] from = version.keys(begin, end, 1).getFirst();
    byte[] middle = middle(from, last.getFirst().key().unsafeBytes());
    if (Arrays.compareUnsigned(begin, middle) >= 0 || Arrays.compareUnsigned(middle, end) >= 0) {
      return;
    }
    List<KeyValue> rows = version.scan(middle, end, 1, 1, false).rows();
    if (rows.isEmpty()) {
      cut(begin, middle, depth - 1);
      return;
    }
    byte[] key = rows.getFirst().key().unsafeBytes();
    long left = storage.estimatedSize(begin, key);
    if (left < pieceBytes / 2) {
      cut(key, end, depth - 1);
      return;
    }
    cut(begin, key, depth - 1);
    if (storage.estimatedSize(key, end) >= pieceBytes / 2) {
      points.add(Key.of(key));
    }
    cut(key, end, depth - 1);
  }

  /** A key about half way between two, by the first eight bytes in which they differ. */
  private static byte[] middle(byte[] begin, byte[] end) {
    int shared = Math.max(0, Arrays.mismatch(begin, end));
    byte[] middle = Arrays.copyOf(end, shared + Long.BYTES);
    long low = number(begin, shared);
    long high = number(end, shared);
    long half = low + Long.divideUnsigned(high - low, 2);
    ByteBuffer.wrap(middle).putLong(shared, half);
    return middle;
  }

  private static long number(byte[] key, int from) {
    long number = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      number = (number << 8) | (i < key.length ? key[i] & 0xff : 0);
    }
    return number;
  }
}
