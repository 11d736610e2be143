package dev.tidemark.kv.spi;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.spi.commit.Write;
import dev.tidemark.kv.spi.commit.WriteSet;
import dev.tidemark.kv.spi.scan.ScanPortion;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One portion of a scan over a transaction's own writes and the version below them: two sorted
 * sequences merged, with the cleared ranges left out of the lower one.
 */
final class MergedScan {
  /** Own clears may hide rows; fetching some more at once saves many fetches of one. */
  private static final int BASE_ROWS_MIN = 32;

  private final WriteSet own;
  private final BaseReads base;
  private final Limits limits;
  private final boolean reverse;

  /** Where the scan comes to keys that may get a versionstamp, so that it cannot go on. */
  private final @Nullable Key barrier;

  private final Iterator<Map.Entry<Key, Write>> writes;
  private Map.@Nullable Entry<Key, Write> write;

  /** What has not been fetched from the base yet. */
  private Key from;

  private Key to;
  private List<KeyValue> baseRows = List.of();
  private int baseNext;

  MergedScan(WriteSet own, BaseReads base, Limits limits, Key begin, Key end, boolean reverse) {
    this.own = own;
    this.base = base;
    this.limits = limits;
    this.reverse = reverse;
    this.barrier = reverse ? own.lastUnreadableEnd(begin, end) : own.firstUnreadable(begin, end);
    this.from = reverse && barrier != null ? barrier : begin;
    this.to = !reverse && barrier != null ? barrier : end;
    this.writes = own.between(from, to, reverse).entrySet().iterator();
    this.write = nextWrite();
  }

  ScanPortion read(int rowsMax, int bytesMax) {
    List<KeyValue> rows = new ArrayList<>();
    long bytes = 0;
    while (rows.size() < rowsMax && bytes < bytesMax) {
      KeyValue row = peekBase(rowsMax - rows.size(), bytesMax);
      Map.Entry<Key, Write> mine = write;
      KeyValue merged;
      if (mine == null || (row != null && precedes(row.key(), mine.getKey()))) {
        if (row == null) {
          return endOfRange(rows);
        }
        merged = row;
        baseNext++;
      } else {
        if (isUnreadable(mine.getValue())) {
          return stoppedAt(mine.getKey(), rows);
        }
        KeyValue same = row != null && row.key().equals(mine.getKey()) ? row : null;
        byte[] value =
            mine.getValue().applyTo(same == null ? null : same.value(), mine.getKey(), limits);
        merged = value == null ? null : new KeyValue(mine.getKey(), value.clone());
        baseNext += same == null ? 0 : 1;
        write = nextWrite();
      }
      if (merged != null) {
        rows.add(merged);
        bytes += merged.key().size() + merged.value().length;
      }
    }
    return new ScanPortion(rows, true);
  }

  private ScanPortion endOfRange(List<KeyValue> rows) {
    return barrier == null ? new ScanPortion(rows, false) : stoppedAt(barrier, rows);
  }

  /** The rows before an unreadable key; the next portion, which would begin with it, throws. */
  private static ScanPortion stoppedAt(Key unreadable, List<KeyValue> rows) {
    if (rows.isEmpty()) {
      throw new UnreadableKeyException(unreadable);
    }
    return new ScanPortion(rows, true);
  }

  private static boolean isUnreadable(Write write) {
    return write instanceof Write.Mutate mutations && mutations.isVersionstamped();
  }

  private boolean precedes(Key left, Key right) {
    int order = left.compareTo(right);
    return reverse ? order > 0 : order < 0;
  }

  private Map.@Nullable Entry<Key, Write> nextWrite() {
    return writes.hasNext() ? writes.next() : null;
  }

  private @Nullable KeyValue peekBase(int rows, int bytes) {
    while (baseNext == baseRows.size() && from.compareTo(to) < 0) {
      baseNext = 0;
      int wanted = Math.max(rows, BASE_ROWS_MIN);
      baseRows = reverse ? fetchBackward(wanted, bytes) : fetchForward(wanted, bytes);
    }
    return baseNext < baseRows.size() ? baseRows.get(baseNext) : null;
  }

  /** Reads on from {@code from} to the next cleared range, and moves {@code from}. */
  private List<KeyValue> fetchForward(int rows, int bytes) {
    Map.Entry<Key, Key> clear = own.clearAtOrAfter(from);
    if (clear != null && clear.getKey().compareTo(from) <= 0) {
      from = clear.getValue();
      return List.of();
    }
    Key stop = clear != null && clear.getKey().compareTo(to) < 0 ? clear.getKey() : to;
    ScanPortion portion = base.scan(from, stop, rows, bytes, false);
    from = portion.more() ? portion.rows().getLast().key().next() : stop;
    return portion.rows();
  }

  /** Reads back from {@code to} to the next cleared range, and moves {@code to}. */
  private List<KeyValue> fetchBackward(int rows, int bytes) {
    Map.Entry<Key, Key> clear = own.clearBefore(to);
    if (clear != null && clear.getValue().compareTo(to) >= 0) {
      to = clear.getKey();
      return List.of();
    }
    Key stop = clear != null && clear.getValue().compareTo(from) > 0 ? clear.getValue() : from;
    ScanPortion portion = base.scan(stop, to, rows, bytes, true);
    to = portion.more() ? portion.rows().getLast().key() : stop;
    return portion.rows();
  }
}
