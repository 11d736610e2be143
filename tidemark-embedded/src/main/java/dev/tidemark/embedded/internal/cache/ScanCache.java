package dev.tidemark.embedded.internal.cache;

import dev.tidemark.embedded.internal.common.KeyHash;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.spi.scan.ScanPortion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/*
 * When a stretch may be used
 *
 * A stretch holds all rows between two keys as of the version `since` at which they were read. The
 * committer ends it at the first version `until` that changes one of them, before that version is
 * published. So it is valid for read versions V with since <= V < until. Stretches do not overlap:
 * a key is in at most one.
 *
 * A reader that finds no stretch reserves one, reads, and fills it. A write ends a reserved
 * stretch like any other. Writes of versions later than the reader's that came before the
 * reservation have ended nothing, so the reader must know of them: the committer notes the version
 * that it is about to write before it looks for stretches, and nothing is reserved for a reader of
 * an earlier version. Both do so under `lock`, so one of them sees the other.
 *
 * Filled stretches replace a reserved one under `lock`, from the last to the first, so that every
 * key of it is in some stretch at all times: the committer, which looks without the lock and takes
 * it only to end a stretch, cannot miss it.
 */

/**
 * Rows of stretches of keys that were scanned lately, for readers of the versions for which they
 * are valid.
 */
public final class ScanCache {
  /** A write ends the stretch that contains its key, so stretches are short. */
  private static final int STRETCH_ROWS = 128;

  /**
   * A larger portion belongs to a long scan. It is cached where there is room, and evicts nothing.
   */
  private static final long LONG_PORTION_BYTES = 64 << 10;

  /**
   * A scan for fewer rows is cached at its second use: many are used once, such as the check for a
   * unique value before a write.
   */
  private static final int FEW_ROWS = 8;

  /** The bytes of cache for each remembered scan for few rows. */
  private static final int BYTES_PER_REMEMBERED = 1 << 10;

  /** The most stretches in use that are skipped to find one that is not. */
  private static final int PASSED_OVER_MAX = 64;

  private final long bytesMax;
  private final ConcurrentSkipListMap<byte[], Stretch> stretches =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /**
   * Not one that virtual threads unmount for: on a JDK before 24 the committer could queue behind a
   * thread that finds no carrier, because all of them wait for the committer.
   */
  private final Object lock = new Object();

  private final AtomicLong heldBytes = new AtomicLong();
  private final Admission admission = Admission.ofScans();

  /** Hashes of where scans for few rows began. */
  private final AtomicLongArray asked;

  /** The version that was written last, or is about to be. Guarded by lock, like the next. */
  private long writing;

  /** Where the search for something to forget goes on. */
  private byte[] hand = {};

  /** Reads rows of one version that are not cached. */
  @FunctionalInterface
  public interface Source {
    ScanPortion scan(byte[] begin, byte[] end, int rows, int bytes, boolean reverse);
  }

  /** A cache of about {@code bytesMax}; with 0 it never has anything. */
  public ScanCache(long bytesMax) {
    this.bytesMax = bytesMax;
    this.asked = new AtomicLongArray((int) Math.min(bytesMax / BYTES_PER_REMEMBERED + 1, 1 << 20));
  }

  /**
   * A portion of the rows between two keys at {@code version}: cached rows from here, the others
   * from {@code source}, which reads that version.
   */
  public ScanPortion scan(
      byte[] begin, byte[] end, int rows, int bytes, boolean reverse, long version, Source source) {
    return scan(begin, end, new RowList(rows, bytes, false), reverse, version, source);
  }

  /** The same, with rows that are also in the cache, so that nobody may change their values. */
  public ScanPortion scanShared(
      byte[] begin, byte[] end, int rows, int bytes, boolean reverse, long version, Source source) {
    return scan(begin, end, new RowList(rows, bytes, true), reverse, version, source);
  }

  private ScanPortion scan(
      byte[] begin, byte[] end, RowList found, boolean reverse, long version, Source source) {
    if (bytesMax == 0) {
      return source.scan(begin, end, found.rowsLeft(), found.bytesLeft(), reverse);
    }
    int rows = found.rowsLeft();
    byte[] from = begin;
    byte[] to = end;
    while (Arrays.compareUnsigned(from, to) < 0) {
      Stretch stretch = reverse ? before(to) : at(from);
      if (stretch != null && stretch.isRightFor(version)) {
        stretch.use();
        admission.hit();
        stretch.addTo(found, from, to, reverse);
      } else {
        boolean kept =
            (rows >= FEW_ROWS || isAskedAgain(reverse ? to : from))
                && admission.admits(heldBytes.get() > bytesMax - bytesMax / 8);
        stretch = kept ? reserve(from, to, reverse, version) : null;
        ScanPortion read =
            stretch == null
                ? source.scan(from, to, found.rowsLeft(), found.bytesLeft(), reverse)
                : fill(stretch, found.rowsLeft(), found.bytesLeft(), reverse, version, source);
        read.rows().forEach(found::add);
      }
      if (found.isFull()) {
        return new ScanPortion(found.rows(), true);
      }
      if (stretch == null) {
        break;
      }
      from = reverse ? from : stretch.end;
      to = reverse ? stretch.begin : to;
    }
    return new ScanPortion(found.rows(), false);
  }

  /**
   * Whether the rows between two keys are known to be the same in the versions {@code since} and
   * {@code version}: whether they are in stretches that are valid for both.
   */
  public boolean isUnchanged(byte[] begin, byte[] end, long since, long version) {
    byte[] first = stretches.floorKey(begin);
    if (first == null || since > version) {
      return false;
    }
    byte[] from = begin;
    for (Stretch stretch : stretches.tailMap(first, true).values()) {
      boolean goesOn = Arrays.compareUnsigned(stretch.begin, from) <= 0 && stretch.reaches(from);
      if (!goesOn || !stretch.isRightFor(since) || !stretch.isRightFor(version)) {
        return false;
      }
      stretch.use();
      from = stretch.end;
      if (Arrays.compareUnsigned(from, end) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether a scan for few rows has begun at {@code key} before, as far as that is known. */
  private boolean isAskedAgain(byte[] key) {
    long hash = KeyHash.of(key);
    return asked.getAndSet((int) Long.remainderUnsigned(hash, asked.length()), hash) == hash;
  }

  /** The stretch with {@code key}. */
  private @Nullable Stretch at(byte[] key) {
    Map.Entry<byte[], Stretch> floor = stretches.floorEntry(key);
    return floor != null && floor.getValue().reaches(key) ? floor.getValue() : null;
  }

  /** The stretch with the keys just before {@code key}. */
  private @Nullable Stretch before(byte[] key) {
    Map.Entry<byte[], Stretch> lower = stretches.lowerEntry(key);
    return lower != null && Arrays.compareUnsigned(lower.getValue().end, key) >= 0
        ? lower.getValue()
        : null;
  }

  /**
   * Reserves the range that a reader of {@code version} does not find, up to the next stretch; null
   * if it cannot be cached.
   */
  private @Nullable Stretch reserve(byte[] from, byte[] to, boolean reverse, long version) {
    synchronized (lock) {
      if (version < writing) {
        return null;
      }
      byte[] begin = from;
      byte[] end = to;
      if (reverse) {
        Map.Entry<byte[], Stretch> lower = stretches.lowerEntry(to);
        begin = lower == null ? from : later(from, lower.getValue().end);
      } else {
        if (at(from) != null) {
          return null;
        }
        byte[] next = stretches.higherKey(from);
        end = next == null || Arrays.compareUnsigned(to, next) < 0 ? to : next;
      }
      if (Arrays.compareUnsigned(begin, end) >= 0) {
        return null;
      }
      Stretch reserved = Stretch.reserved(begin, end, version);
      stretches.put(begin, reserved);
      return reserved;
    }
  }

  private static byte[] later(byte[] key, byte[] other) {
    return Arrays.compareUnsigned(key, other) < 0 ? other : key;
  }

  private ScanPortion fill(
      Stretch reserved, int rows, int bytes, boolean reverse, long version, Source source) {
    List<Stretch> filled = List.of();
    try {
      ScanPortion portion = source.scan(reserved.begin, reserved.end, rows, bytes, reverse);
      if (isWorthKeeping(portion.rows())) {
        filled = cut(reserved, portion, reverse, version);
      }
      return portion;
    } finally {
      synchronized (lock) {
        if (!reserved.hasEnded()) {
          keep(filled);
        }
        stretches.remove(reserved.begin, reserved);
      }
    }
  }

  private boolean isWorthKeeping(List<KeyValue> rows) {
    long size = Stretch.sizeOf(rows);
    return size <= Math.min(LONG_PORTION_BYTES, bytesMax) || heldBytes.get() + size <= bytesMax;
  }

  /** What was read of a reserved stretch, in pieces, from the last to the first. */
  private static List<Stretch> cut(
      Stretch reserved, ScanPortion portion, boolean reverse, long version) {
    List<KeyValue> rows = reverse ? portion.rows().reversed() : portion.rows();
    byte[] begin = reserved.begin;
    byte[] end = reserved.end;
    if (portion.more()) {
      Key last = portion.rows().getLast().key();
      begin = reverse ? last.unsafeBytes() : begin;
      end = reverse ? end : last.next().unsafeBytes();
    }
    List<Stretch> pieces = new ArrayList<>(rows.size() / STRETCH_ROWS + 1);
    int next = rows.size();
    while (next > STRETCH_ROWS) {
      int first = (next - 1) / STRETCH_ROWS * STRETCH_ROWS;
      byte[] from = rows.get(first).key().unsafeBytes();
      pieces.add(Stretch.of(from, end, version, rows.subList(first, next)));
      next = first;
      end = from;
    }
    pieces.add(Stretch.of(begin, end, version, rows.subList(0, next)));
    return pieces;
  }

  private void keep(List<Stretch> filled) {
    for (Stretch stretch : filled) {
      stretches.put(stretch.begin, stretch);
      heldBytes.addAndGet(stretch.size());
    }
    int passedOver = 0;
    while (heldBytes.get() > bytesMax) {
      Map.Entry<byte[], Stretch> next = stretches.higherEntry(hand);
      if (next == null) {
        next = stretches.firstEntry();
      }
      hand = next.getKey();
      Stretch stretch = next.getValue();
      if (stretch.wasUsed() && passedOver < PASSED_OVER_MAX) {
        passedOver++;
      } else if (!stretch.isReserved()) {
        forget(stretch);
      }
    }
  }

  private void forget(Stretch stretch) {
    if (stretches.remove(stretch.begin, stretch)) {
      heldBytes.addAndGet(-stretch.size());
    }
  }

  /**
   * Notes that the changes of {@code version}, which is not published yet, will be reported by
   * {@link #written} and {@link #cleared}.
   */
  void writing(long version) {
    synchronized (lock) {
      writing = version;
    }
  }

  /** Notes that {@code version}, which is not published yet, writes {@code key}. */
  void written(byte[] key, long version) {
    if (at(key) != null) {
      synchronized (lock) {
        Stretch stretch = at(key);
        if (stretch != null) {
          end(stretch, version);
        }
      }
    }
  }

  private void end(Stretch stretch, long version) {
    stretch.endAt(version);
    if (!stretch.isReserved()) {
      forget(stretch);
    }
  }

  /**
   * Notes that {@code version}, which is not published yet, clears a range. It ends one stretch at
   * a time, so that no reader waits for all of them: none can be reserved meanwhile, and stretches
   * that replace a reserved one are met further on.
   */
  void cleared(byte[] begin, byte[] end, long version) {
    written(begin, version);
    byte[] next = stretches.higherKey(begin);
    while (next != null && Arrays.compareUnsigned(next, end) < 0) {
      written(next, version);
      next = stretches.higherKey(next);
    }
  }

  /** About how much the cache holds. */
  long size() {
    return heldBytes.get();
  }
}
