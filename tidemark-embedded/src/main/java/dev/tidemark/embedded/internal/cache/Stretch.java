package dev.tidemark.embedded.internal.cache;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All rows between two keys, as they were from version {@code since} on. Reserved while they are
 * being read, and then without rows.
 */
final class Stretch {
  /** The rough overhead of a row beside the bytes of its key and value. */
  private static final int ROW_OVERHEAD_BYTES = 88;

  private static final int OVERHEAD_BYTES = 160;

  final byte[] begin;

  /** The key after the last one. */
  final byte[] end;

  private final long since;
  private final KeyValue @Nullable [] rows;
  private final long size;
  private volatile long until = Long.MAX_VALUE;

  /** Whether it has been of use since the cache looked for something to forget. */
  private volatile boolean used;

  private Stretch(byte[] begin, byte[] end, long since, KeyValue @Nullable [] rows) {
    this.begin = begin;
    this.end = end;
    this.since = since;
    this.rows = rows;
    this.size =
        OVERHEAD_BYTES
            + begin.length
            + end.length
            + (rows == null ? 0 : sizeOf(Arrays.asList(rows)));
  }

  static Stretch reserved(byte[] begin, byte[] end, long since) {
    return new Stretch(begin, end, since, null);
  }

  /** A stretch with copies of {@code ascending} rows. */
  static Stretch of(byte[] begin, byte[] end, long since, List<KeyValue> ascending) {
    KeyValue[] copies = new KeyValue[ascending.size()];
    Arrays.setAll(copies, i -> copyOf(ascending.get(i)));
    return new Stretch(begin, end, since, copies);
  }

  /** The values of rows are their reader's; keys, and arrays without bytes, never change. */
  static KeyValue copyOf(KeyValue row) {
    return row.value().length == 0 ? row : new KeyValue(row.key(), row.value().clone());
  }

  /** About how much memory {@code rows} take. */
  static long sizeOf(List<KeyValue> rows) {
    long size = 0;
    for (KeyValue row : rows) {
      size += ROW_OVERHEAD_BYTES + row.key().size() + row.value().length;
    }
    return size;
  }

  boolean isReserved() {
    return rows == null;
  }

  /** Whether {@code key}, which is not before the begin, is in the stretch. */
  boolean reaches(byte[] key) {
    return Arrays.compareUnsigned(key, end) < 0;
  }

  /** Whether a reader of {@code version} may use the rows. */
  boolean isRightFor(long version) {
    return rows != null && since <= version && version < until;
  }

  /** Ends the stretch: {@code version}, which is not published yet, has other rows. */
  void endAt(long version) {
    if (until > version) {
      until = version;
    }
  }

  boolean hasEnded() {
    return until != Long.MAX_VALUE;
  }

  void use() {
    if (!used) {
      used = true;
    }
  }

  /** Whether it has been used since this was asked before. */
  boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  /** Adds the rows between two keys, until there are enough. */
  void addTo(RowList found, byte[] from, byte[] to, boolean reverse) {
    KeyValue[] all = rows;
    if (all == null) {
      throw new IllegalStateException("The stretch has no rows yet");
    }
    int first = Arrays.compareUnsigned(from, begin) <= 0 ? 0 : indexOf(all, from);
    int last = Arrays.compareUnsigned(to, end) >= 0 ? all.length : indexOf(all, to);
    if (reverse) {
      for (int i = last - 1; i >= first && !found.isFull(); i--) {
        found.addKept(all[i]);
      }
    } else {
      for (int i = first; i < last && !found.isFull(); i++) {
        found.addKept(all[i]);
      }
    }
  }

  /** Where the first row is whose key is not before {@code key}. */
  private static int indexOf(KeyValue[] rows, byte[] key) {
    Key wanted = Key.wrap(key);
    int low = 0;
    int high = rows.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rows[middle].key().compareTo(wanted) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** About how much memory it takes. */
  long size() {
    return size;
  }
}
