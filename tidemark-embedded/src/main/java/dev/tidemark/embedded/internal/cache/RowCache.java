package dev.tidemark.embedded.internal.cache;

import dev.tidemark.embedded.internal.common.KeyHash;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/*
 * When a cached row may be used
 *
 * A row has the version at which it was read. Each place of the table remembers the last version
 * that wrote a key of the place; for range clears, so does each common prefix of their two ends.
 * The committer notes a version there before it publishes it. So a reader of version V that finds
 * a row read at version S <= V, and no write after S, has the value at V: all writes up to V were
 * noted before V could be read.
 *
 * A row that was read before a write and cached after it is older than the version of its place. It
 * is never used, so no thread has to wait for another, and nothing has to be removed.
 *
 * A write of a row that is cached replaces it, with the version of the write: rows that are read and
 * written again and again, such as counters, stay cached. Several writes of one version may meet at a
 * key, so each of them leaves its own value there, or none where it is not known; the last one counts.
 *
 * A row is in the slot of its place or in the one beside it, so that two rows of one place are both
 * kept. Two readers at once may put a row into both slots: each was read, so each is right. A write
 * drops one of them, because of two writes of one version only the last may be found.
 */

/** Values of keys that were read lately, for readers of the versions for which they are valid. */
public final class RowCache {
  /** The rough overhead of a row beside the bytes of its key and value. */
  private static final int OVERHEAD_BYTES = 96;

  private static final int TYPICAL_ROW_BYTES = 256;
  private static final int LARGEST_ROW_BYTES = 16 << 10;
  private static final int SEGMENT = 4_096;

  /** The number of leading bytes of keys by which range clears are distinguished. */
  private static final int[] PREFIXES = {0, 2, 4, 8, 16, 32};

  private static final int PREFIX_PLACES = 1_024;

  private final long bytesMax;
  private final int mask;
  private final AtomicReferenceArray<@Nullable Segment> segments;
  private final AtomicLongArray written;
  private final AtomicLongArray cleared = new AtomicLongArray(PREFIXES.length * PREFIX_PLACES);
  private final LongAdder bytes = new LongAdder();
  private final Admission admission = Admission.ofRows();

  /** No range has been cleared after this version. */
  private volatile long lastClear;

  /** A part of the table, made when it is first needed. */
  private static final class Segment extends AtomicReferenceArray<@Nullable Row> {
    private static final long serialVersionUID = 1L;

    Segment() {
      super(SEGMENT);
    }
  }

  /** The value that {@code key} had at version {@code since}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(byte[] key, byte[] value, long since) {
    long size() {
      return (long) OVERHEAD_BYTES + key.length + value.length;
    }
  }

  /** A cache of about {@code bytesMax}; with 0 it stays empty. */
  public RowCache(long bytesMax) {
    this.bytesMax = bytesMax;
    long wanted = Math.min(bytesMax / TYPICAL_ROW_BYTES, 1 << 28);
    int places = bytesMax == 0 ? 0 : Integer.highestOneBit((int) Math.max(wanted, SEGMENT));
    this.mask = places - 1;
    this.segments = new AtomicReferenceArray<>(places / SEGMENT);
    this.written = new AtomicLongArray(places);
  }

  /** A copy of the value of {@code key} at {@code version}; null if it is not cached. */
  public byte @Nullable [] get(byte[] key, long version) {
    if (bytesMax == 0) {
      return null;
    }
    int place = place(key);
    Segment segment = segments.get(place / SEGMENT);
    Row row = segment == null ? null : rowOf(segment, place, key);
    if (row == null
        || row.since() > version
        || written.get(place) > row.since()
        || (lastClear > row.since() && clearedSince(row.since(), key))) {
      return null;
    }
    admission.hit();
    return row.value().clone();
  }

  /**
   * Caches a copy of {@code value}, which {@code key} has at {@code version}, if admission allows
   * it; the key does not change.
   */
  public void put(byte[] key, byte[] read, long version) {
    if (bytesMax == 0 || key.length + read.length > LARGEST_ROW_BYTES) {
      return;
    }
    int place = place(key);
    if (written.get(place) > version || !admission.admits(isFull(place))) {
      return;
    }
    byte[] value = read.clone();
    Segment segment = segment(place / SEGMENT);
    int slot = slotFor(segment, place, key);
    replace(segment, slot, bytes.sum() > bytesMax ? null : new Row(key, value, version));
  }

  /**
   * Notes that {@code version}, which is not published yet, writes {@code key}. The publication of
   * the version orders this write before all its readers, so it needs no fence of its own: with one
   * a load of many rows would wait for memory at each of them.
   *
   * @param value what the key has then, which does not change; null for none or if that is not
   *     known
   */
  void written(byte[] key, byte @Nullable [] value, long version) {
    if (bytesMax == 0) {
      return;
    }
    int place = place(key);
    written.setRelease(place, version);
    Segment segment = segments.get(place / SEGMENT);
    if (segment != null) {
      int slot = place % SEGMENT;
      boolean rewritten = rewrite(segment, slot, key, value, version);
      var unused = rewrite(segment, beside(slot), key, rewritten ? null : value, version);
    }
  }

  /**
   * Gives the row of {@code key} in {@code slot}, if it is there, another value; without one it is
   * dropped. Returns whether it was there.
   */
  private boolean rewrite(
      Segment segment, int slot, byte[] key, byte @Nullable [] value, long version) {
    Row row = segment.get(slot);
    if (row == null || !Arrays.equals(row.key(), key)) {
      return false;
    }
    Row now = value == null ? null : new Row(row.key(), value, version);
    replace(segment, slot, now == null || hasRoom(now, row) ? now : null);
    return true;
  }

  private boolean hasRoom(Row row, Row before) {
    return row.size() <= before.size()
        || (row.key().length + row.value().length <= LARGEST_ROW_BYTES && bytes.sum() <= bytesMax);
  }

  private void replace(Segment segment, int slot, @Nullable Row row) {
    Row before = segment.getAndSet(slot, row);
    long more = (row == null ? 0 : row.size()) - (before == null ? 0 : before.size());
    if (more != 0) {
      bytes.add(more);
    }
  }

  /** Notes that {@code version}, which is not published yet, clears a range. */
  void cleared(byte[] begin, byte[] end, long version) {
    int common = Arrays.mismatch(begin, end);
    int level = PREFIXES.length - 1;
    while (PREFIXES[level] > common) {
      level--;
    }
    cleared.set(clearPlace(level, begin), version);
    lastClear = version;
  }

  /** Whether a row at {@code place} would evict another, or has no room. */
  private boolean isFull(int place) {
    Segment segment = segments.get(place / SEGMENT);
    int slot = place % SEGMENT;
    return (segment != null && segment.get(slot) != null && segment.get(beside(slot)) != null)
        || bytes.sum() > bytesMax;
  }

  /** The row of {@code key}, which is in the slot of its place or beside it. */
  private static @Nullable Row rowOf(Segment segment, int place, byte[] key) {
    int slot = place % SEGMENT;
    Row here = segment.get(slot);
    if (isOf(here, key)) {
      return here;
    }
    Row there = segment.get(beside(slot));
    return isOf(there, key) ? there : null;
  }

  /** Where to put the row of {@code key}: where it is, else where there is nothing. */
  private static int slotFor(Segment segment, int place, byte[] key) {
    int slot = place % SEGMENT;
    Row here = segment.get(slot);
    Row there = segment.get(beside(slot));
    if (isOf(here, key)) {
      return slot;
    }
    return isOf(there, key) || (here != null && there == null) ? beside(slot) : slot;
  }

  private static boolean isOf(@Nullable Row row, byte[] key) {
    return row != null && Arrays.equals(row.key(), key);
  }

  private static int beside(int slot) {
    return slot ^ 1;
  }

  private boolean clearedSince(long version, byte[] key) {
    for (int level = 0; level < PREFIXES.length && PREFIXES[level] <= key.length; level++) {
      if (cleared.get(clearPlace(level, key)) > version) {
        return true;
      }
    }
    return false;
  }

  private static int clearPlace(int level, byte[] key) {
    int hash = 1;
    for (int i = 0; i < PREFIXES[level]; i++) {
      hash = 31 * hash + key[i];
    }
    return level * PREFIX_PLACES + ((hash ^ (hash >>> 15)) & (PREFIX_PLACES - 1));
  }

  private int place(byte[] key) {
    return (int) KeyHash.of(key) & mask;
  }

  private Segment segment(int number) {
    Segment segment = segments.get(number);
    if (segment != null) {
      return segment;
    }
    Segment made = new Segment();
    Segment other = segments.compareAndExchange(number, null, made);
    return other == null ? made : other;
  }

  /** About how much the cache holds. */
  long size() {
    return bytes.sum();
  }
}
