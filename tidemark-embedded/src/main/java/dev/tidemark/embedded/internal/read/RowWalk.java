package dev.tidemark.embedded.internal.read;

import dev.tidemark.embedded.internal.cache.Gap;
import dev.tidemark.embedded.internal.cache.Gaps;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;

/*
 * A walk skips known gaps. Iterators that are used again have no bounds: one that
 * stands before a gap would walk through it to find the row behind, so up to a gap an iterator
 * of its own with bounds is used, which costs as much as some twenty rows.
 *
 * An iterator gives up when it meets many deleted keys in a row. Then the next row is looked for
 * however long that takes, what lies before it is noted as a gap, and the walk goes on.
 */

/** One pass over the rows of a range of keys, at one version. */
final class RowWalk {
  /** Deleted keys in a row that an iterator walks through before it gives up. */
  static final int DELETED_KEYS_MAX = 128;

  private final RocksDB db;
  private final Snapshot snapshot;
  private final long version;
  private final Gaps gaps;
  private final Iterators pool;
  private final boolean reverse;
  private final Rows rows;

  /** What is left of the range. */
  private byte[] from = {};

  private byte[] to = {};

  /** The key met last. */
  private byte @Nullable [] last;

  /** Takes the rows that a walk meets. */
  @FunctionalInterface
  interface Rows {
    /** Takes the row at {@code reader}, whose key has been read; false if it was the last one. */
    boolean take(RowReader reader, byte[] key);
  }

  /** Iterators without bounds that are used again. */
  interface Iterators {
    /** Gives {@code use} one of them. */
    boolean with(Use use) throws RocksDBException;
  }

  /** A use of an iterator. */
  @FunctionalInterface
  interface Use {
    /** Uses {@code iterator}; false if there are enough rows. */
    boolean of(RocksIterator iterator) throws RocksDBException;
  }

  RowWalk(
      RocksDB db,
      Snapshot snapshot,
      long version,
      Gaps gaps,
      Iterators pool,
      boolean reverse,
      Rows rows) {
    this.db = db;
    this.snapshot = snapshot;
    this.version = version;
    this.gaps = gaps;
    this.pool = pool;
    this.reverse = reverse;
    this.rows = rows;
  }

  /** Goes from one key to the other; true if there were enough rows before the end. */
  boolean over(byte[] begin, byte[] end) throws RocksDBException {
    from = begin;
    to = end;
    while (Arrays.compareUnsigned(from, to) < 0) {
      if (!gaps.isEmpty() && passGap()) {
        continue;
      }
      Gap next = gaps.isEmpty() ? null : nextGap();
      byte[] stop = next == null ? null : reverse ? next.end() : next.begin();
      if (!walkTo(stop)) {
        return true;
      }
    }
    return false;
  }

  private boolean passGap() {
    Gap gap = reverse ? gaps.before(to, version) : gaps.at(from, version);
    if (gap != null && reverse) {
      to = gap.begin();
    } else if (gap != null) {
      from = gap.end();
    }
    return gap != null;
  }

  private @Nullable Gap nextGap() {
    return reverse ? gaps.lastBetween(from, to, version) : gaps.firstBetween(from, to, version);
  }

  /** Walks to {@code stop}, or to the end if that is null; false if there are enough rows. */
  private boolean walkTo(byte @Nullable [] stop) throws RocksDBException {
    byte[] first = reverse && stop != null ? stop : from;
    byte[] end = reverse || stop == null ? to : stop;
    last = null;
    try {
      boolean goOn =
          stop == null
              ? pool.with(iterator -> take(iterator, first, end))
              : walkBetweenGaps(first, end);
      from = reverse ? from : end;
      to = reverse ? first : to;
      return goOn;
    } catch (RocksDBException failure) {
      if (!isIncomplete(failure)) {
        throw failure;
      }
      byte[] taken = last;
      from = reverse || taken == null ? from : Gaps.after(taken);
      to = !reverse || taken == null ? to : taken;
      passDeleted(reverse ? first : from, reverse ? to : end);
      return true;
    }
  }

  /** Walks up to a gap, and notes that it is larger if nothing comes before it. */
  private boolean walkBetweenGaps(byte[] first, byte[] end) throws RocksDBException {
    try (Gaps.Search search = gaps.search(first, end, reverse)) {
      boolean goOn = bounded(first, end, DELETED_KEYS_MAX, iterator -> take(iterator, first, end));
      if (last == null && search != null && search.isFor(version)) {
        search.found(first, end, version, true);
      }
      return goOn;
    }
  }

  /** Looks for the next row in a part of the range that begins with many deleted keys. */
  private void passDeleted(byte[] first, byte[] end) throws RocksDBException {
    try (Gaps.Search search = gaps.search(first, end, reverse)) {
      byte[] row = nextRow(first, end);
      byte[] begin = reverse && row != null ? Gaps.after(row) : first;
      byte[] stop = reverse || row == null ? end : row;
      if (search == null || !search.isFor(version)) {
        gaps.missed(begin);
      } else {
        search.found(begin, stop, version, false);
      }
      from = reverse ? from : stop;
      to = reverse ? begin : to;
    }
  }

  private byte @Nullable [] nextRow(byte[] first, byte[] end) throws RocksDBException {
    last = null;
    bounded(
        first,
        end,
        0,
        iterator -> {
          if (reverse) {
            iterator.seekToLast();
          } else {
            iterator.seek(first);
          }
          last = iterator.isValid() ? iterator.key() : null;
          iterator.status();
          return true;
        });
    return last;
  }

  private boolean bounded(byte[] first, byte[] end, int deletedMax, Use use)
      throws RocksDBException {
    try (Slice lower = new Slice(first);
        Slice upper = new Slice(end);
        ReadOptions options =
            new ReadOptions()
                .setSnapshot(snapshot)
                .setMaxSkippableInternalKeys(deletedMax)
                .setIterateLowerBound(lower)
                .setIterateUpperBound(upper);
        RocksIterator iterator = db.newIterator(options)) {
      return use.of(iterator);
    }
  }

  private boolean take(RocksIterator iterator, byte[] first, byte[] end) throws RocksDBException {
    return reverse ? takeBackward(iterator, first, end) : takeForward(iterator, first, end);
  }

  private boolean takeForward(RocksIterator iterator, byte[] first, byte[] end)
      throws RocksDBException {
    RowReader reader = new RowReader(iterator);
    for (iterator.seek(first); iterator.isValid(); iterator.next()) {
      byte[] key = reader.key();
      if (Arrays.compareUnsigned(key, end) >= 0) {
        return true;
      }
      last = key;
      if (!rows.take(reader, key)) {
        return false;
      }
    }
    iterator.status();
    return true;
  }

  private boolean takeBackward(RocksIterator iterator, byte[] first, byte[] end)
      throws RocksDBException {
    RowReader reader = new RowReader(iterator);
    iterator.seekForPrev(end);
    if (iterator.isValid() && Arrays.equals(reader.key(), end)) {
      iterator.prev();
    }
    for (; iterator.isValid(); iterator.prev()) {
      byte[] key = reader.key();
      if (Arrays.compareUnsigned(key, first) < 0) {
        return true;
      }
      last = key;
      if (!rows.take(reader, key)) {
        return false;
      }
    }
    iterator.status();
    return true;
  }

  static boolean isIncomplete(RocksDBException failure) {
    return failure.getStatus() != null && failure.getStatus().getCode() == Status.Code.Incomplete;
  }
}
