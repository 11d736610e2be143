package dev.tidemark.embedded.internal.read;

import dev.tidemark.embedded.internal.cache.Gaps;
import dev.tidemark.embedded.internal.cache.RowCache;
import dev.tidemark.embedded.internal.cache.RowList;
import dev.tidemark.embedded.internal.cache.ScanCache;
import dev.tidemark.embedded.internal.files.StorageErrors;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.spi.BaseReads;
import dev.tidemark.kv.spi.scan.ScanPortion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/*
 * When the native snapshot may be released
 *
 * Holders are the transactions that read this version, and one for being the published version.
 * When the last holder goes, or when the version is retired because it is too old or the database
 * closes, no new read may begin, and the snapshot goes when the reads under way have ended.
 *
 * Reads count themselves in `inside`, spread over stripes so that cores do not fight over one word.
 * A read first counts itself, then looks at `retired`; whoever retires first sets `retired`, then
 * adds up the stripes. So either the read sees that it is too late and leaves, or the sum is not
 * zero and the read, on leaving, finds `retired` set and releases.
 */

/** One committed version that can be read, shared by all transactions that read it. */
public final class PinnedVersion {
  private static final int STRIPES = 8;
  private static final int STRIDE = 16;
  private static final int POOLED_ITERATORS = 8;

  private final RocksDB db;
  private final RowCache rows;
  private final ScanCache scans;
  private final Gaps gaps;
  private final Snapshot snapshot;
  private final ReadOptions options;
  private final ReadOptions atHandOptions;
  private final ReadOptions iteratorOptions;
  private final long version;
  private final Supplier<DatabaseException> whyRetired;
  private final Runnable onRelease;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicIntegerArray inside = new AtomicIntegerArray(STRIPES * STRIDE);
  private final AtomicBoolean released = new AtomicBoolean();
  private final ArrayBlockingQueue<PooledIterator> iterators =
      new ArrayBlockingQueue<>(POOLED_ITERATORS);

  /** Iterators of an earlier generation are not used again. */
  private final AtomicInteger generation = new AtomicInteger();

  private volatile boolean retired;

  /**
   * The value of {@link Key#METADATA_VERSION} once it has been read. Layers read it in every
   * transaction to validate their caches, so it is kept in memory.
   */
  private volatile @Nullable MetadataVersion metadataVersion;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record MetadataVersion(byte @Nullable [] value) {
    byte @Nullable [] copy() {
      return value == null ? null : value.clone();
    }
  }

  private record PooledIterator(RocksIterator iterator, int generation) {}

  /**
   * Pins the current contents of {@code db} as {@code version}. Reads after the version was retired
   * throw the exception of {@code whyRetired}; {@code onRelease} is called when the native snapshot
   * is released.
   */
  public PinnedVersion(
      RocksDB db,
      RowCache rows,
      ScanCache scans,
      Gaps gaps,
      long version,
      Supplier<DatabaseException> whyRetired,
      Runnable onRelease) {
    this.db = db;
    this.rows = rows;
    this.scans = scans;
    this.gaps = gaps;
    this.version = version;
    this.whyRetired = whyRetired;
    this.onRelease = onRelease;
    this.snapshot = db.getSnapshot();
    this.options = new ReadOptions().setSnapshot(snapshot);
    this.atHandOptions =
        new ReadOptions().setSnapshot(snapshot).setReadTier(ReadTier.BLOCK_CACHE_TIER);
    this.iteratorOptions =
        new ReadOptions()
            .setSnapshot(snapshot)
            .setMaxSkippableInternalKeys(RowWalk.DELETED_KEYS_MAX);
  }

  public long version() {
    return version;
  }

  /** Becomes a holder, unless the last one has gone. */
  public boolean tryHold() {
    int before = holders.get();
    while (before > 0) {
      if (holders.compareAndSet(before, before + 1)) {
        return true;
      }
      before = holders.get();
    }
    return false;
  }

  /** Ends a hold. */
  public void drop() {
    if (holders.decrementAndGet() == 0) {
      retire();
    }
  }

  /** Refuses further reads, and releases the snapshot when the current ones have ended. */
  public void retire() {
    retired = true;
    releaseIfUnused();
  }

  public boolean isReleased() {
    return released.get();
  }

  /** Takes the metadata version over from {@code before}; it has not changed since. */
  public void takeMetadataVersion(PinnedVersion before) {
    metadataVersion = before.metadataVersion;
  }

  /** The value of {@code key}, or null. */
  public byte @Nullable [] get(byte[] key) {
    return isMetadataVersion(key) ? getMetadataVersion(key) : read(key);
  }

  /** Programs read no other key that begins with ff. */
  private static boolean isMetadataVersion(byte[] key) {
    return key.length > 0
        && key[0] == (byte) 0xff
        && Arrays.equals(key, Key.METADATA_VERSION.unsafeBytes());
  }

  private byte @Nullable [] getMetadataVersion(byte[] key) {
    MetadataVersion known = metadataVersion;
    if (known == null || retired) {
      known = new MetadataVersion(read(key));
      metadataVersion = known;
    }
    return known.copy();
  }

  private byte @Nullable [] read(byte[] key) {
    byte[] cached = retired ? null : rows.get(key, version);
    if (cached != null) {
      return cached;
    }
    int stripe = enter();
    try {
      return read(key, options);
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Reading " + Key.of(key), failure);
    } finally {
      exit(stripe);
    }
  }

  private byte @Nullable [] read(byte[] key, ReadOptions how) throws RocksDBException {
    byte[] value = db.get(how, key);
    if (value != null) {
      rows.put(key, value, version);
    }
    return value;
  }

  /** The value of {@code key}; null if it would have to be read from the disk. */
  public BaseReads.@Nullable AtHand getAtHand(byte[] key) {
    if (isMetadataVersion(key)) {
      // The first reader that waits for it caches it for this version and the next ones.
      MetadataVersion known = metadataVersion;
      return known == null || retired ? null : new BaseReads.AtHand(known.copy());
    }
    byte[] cached = retired ? null : rows.get(key, version);
    if (cached != null) {
      return new BaseReads.AtHand(cached);
    }
    int stripe = enter();
    try {
      return new BaseReads.AtHand(read(key, atHandOptions));
    } catch (RocksDBException failure) {
      if (RowWalk.isIncomplete(failure)) {
        return null;
      }
      throw StorageErrors.of("Reading " + Key.of(key), failure);
    } finally {
      exit(stripe);
    }
  }

  /** The values of those {@code keys} that have one, in their order. */
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    List<byte[]> missing = new ArrayList<>();
    for (Key key : keys) {
      byte[] cached = retired ? null : rows.get(key.unsafeBytes(), version);
      values.add(cached);
      if (cached == null) {
        missing.add(key.unsafeBytes());
      }
    }
    Iterator<byte @Nullable []> read = missing.isEmpty() ? null : readAll(missing).iterator();
    Map<Key, byte[]> found = LinkedHashMap.newLinkedHashMap(keys.size());
    int next = 0;
    for (Key key : keys) {
      byte[] cached = values.get(next++);
      byte[] value = cached == null && read != null ? read.next() : cached;
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  private List<byte @Nullable []> readAll(List<byte[]> keys) {
    if (keys.size() == 1) {
      // All others were in memory; RocksDB takes longer for a list of one than for one.
      List<byte @Nullable []> alone = new ArrayList<>(1);
      alone.add(read(keys.getFirst()));
      return alone;
    }
    int stripe = enter();
    try {
      List<byte @Nullable []> values = new ArrayList<>(db.multiGetAsList(options, keys));
      for (int i = 0; i < values.size(); i++) {
        byte[] value = values.get(i);
        if (value != null) {
          rows.put(keys.get(i), value, version);
        }
      }
      return values;
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Reading " + keys.size() + " keys", failure);
    } finally {
      exit(stripe);
    }
  }

  /**
   * A portion of the rows from {@code begin} (included) to {@code end} (excluded). A gap where it
   * begins is passed first: kept with the rows behind it, those would be forgotten with every write
   * in the gap, as of a queue that is filled at one end and drained at the other.
   */
  public ScanPortion scan(byte[] begin, byte[] end, int rowsMax, int bytes, boolean reverse) {
    if (retired) {
      return readRows(begin, end, rowsMax, bytes, reverse);
    }
    byte[] from = reverse ? begin : gaps.behind(begin, version);
    byte[] to = reverse ? gaps.aheadOf(end, version) : end;
    return scans.scan(from, to, rowsMax, bytes, reverse, version, this::readRows);
  }

  /** As {@link #scan}, with rows that other readers may share. */
  public ScanPortion scanShared(byte[] begin, byte[] end, int rowsMax, int bytes, boolean reverse) {
    if (retired) {
      return readRows(begin, end, rowsMax, bytes, reverse);
    }
    byte[] from = reverse ? begin : gaps.behind(begin, version);
    byte[] to = reverse ? gaps.aheadOf(end, version) : end;
    return scans.scanShared(from, to, rowsMax, bytes, reverse, version, this::readRows);
  }

  /** Whether the rows between two keys are known to be those of version {@code since}. */
  public boolean isUnchanged(byte[] begin, byte[] end, long since) {
    if (retired || since > version) {
      return false;
    }
    // A gap that is known now has had no rows since it began to be one.
    byte[] from = gaps.behind(begin, since);
    byte[] to = gaps.aheadOf(end, since);
    return Arrays.compareUnsigned(from, to) >= 0 || scans.isUnchanged(from, to, since, version);
  }

  /** The same as {@link #scan}, without rows from memory and without keeping them there. */
  public ScanPortion scanStored(byte[] begin, byte[] end, int rowsMax, int bytes) {
    return readRows(begin, end, rowsMax, bytes, false);
  }

  private ScanPortion readRows(byte[] begin, byte[] end, int rowsMax, int bytes, boolean reverse) {
    RowList found = new RowList(rowsMax, bytes);
    boolean more =
        walk(
            begin,
            end,
            reverse,
            (reader, key) -> {
              found.add(reader.row(key));
              return !found.isFull();
            });
    return new ScanPortion(found.rows(), more);
  }

  /**
   * The first keys from {@code begin} (included) to {@code end} (excluded), at most {@code max}.
   */
  public List<byte[]> keys(byte[] begin, byte[] end, int max) {
    List<byte[]> keys = new ArrayList<>();
    walk(
        begin,
        end,
        false,
        (reader, key) -> {
          keys.add(key);
          return keys.size() < max;
        });
    return keys;
  }

  private boolean walk(byte[] begin, byte[] end, boolean reverse, RowWalk.Rows found) {
    int stripe = enter();
    try {
      return new RowWalk(db, snapshot, version, gaps, this::withIterator, reverse, found)
          .over(begin, end);
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Scanning from " + Key.of(begin) + " to " + Key.of(end), failure);
    } finally {
      exit(stripe);
    }
  }

  private boolean withIterator(RowWalk.Use use) throws RocksDBException {
    PooledIterator pooled = borrowIterator();
    try {
      return use.of(pooled.iterator());
    } finally {
      giveBack(pooled);
    }
  }

  /**
   * The key of the first row from {@code begin} on, or {@code end} if there is none before it; null
   * if too many deleted keys are in the way.
   */
  byte @Nullable [] nextRow(byte[] begin, byte[] end, int deletedMax) {
    int stripe = enter();
    try (Slice upper = new Slice(end);
        ReadOptions bounded =
            new ReadOptions()
                .setSnapshot(snapshot)
                .setMaxSkippableInternalKeys(deletedMax)
                .setIterateUpperBound(upper);
        RocksIterator iterator = db.newIterator(bounded)) {
      iterator.seek(begin);
      byte[] row = iterator.isValid() ? iterator.key() : end;
      iterator.status();
      return row;
    } catch (RocksDBException failure) {
      if (RowWalk.isIncomplete(failure)) {
        return null;
      }
      throw StorageErrors.of("Looking for a row from " + Key.of(begin) + " on", failure);
    } finally {
      exit(stripe);
    }
  }

  private PooledIterator borrowIterator() {
    int wanted = generation.get();
    PooledIterator pooled = iterators.poll();
    while (pooled != null && pooled.generation() != wanted) {
      pooled.iterator().close();
      pooled = iterators.poll();
    }
    return pooled == null ? new PooledIterator(db.newIterator(iteratorOptions), wanted) : pooled;
  }

  private void giveBack(PooledIterator pooled) {
    if (pooled.generation() != generation.get() || !iterators.offer(pooled)) {
      pooled.iterator().close();
    }
  }

  /**
   * Makes later scans use new iterators. An iterator reads the files that were there when it was
   * made; those made before a compaction keep its input on the disk and are slower.
   */
  public void renewIterators() {
    generation.incrementAndGet();
    int stripe = tryEnter();
    if (stripe >= 0) {
      try {
        for (PooledIterator old = iterators.poll(); old != null; old = iterators.poll()) {
          old.iterator().close();
        }
      } finally {
        exit(stripe);
      }
    }
  }

  private int enter() {
    int stripe = tryEnter();
    if (stripe < 0) {
      throw whyRetired.get();
    }
    return stripe;
  }

  /** Counts a read in; negative if it is too late. */
  private int tryEnter() {
    int stripe = (int) (Thread.currentThread().threadId() % STRIPES) * STRIDE;
    inside.getAndIncrement(stripe);
    if (retired) {
      exit(stripe);
      return -1;
    }
    return stripe;
  }

  private void exit(int stripe) {
    inside.getAndDecrement(stripe);
    if (retired) {
      releaseIfUnused();
    }
  }

  private void releaseIfUnused() {
    int reads = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      reads += inside.get(stripe * STRIDE);
    }
    if (reads == 0 && released.compareAndSet(false, true)) {
      iterators.forEach(pooled -> pooled.iterator().close());
      iterators.clear();
      iteratorOptions.close();
      options.close();
      atHandOptions.close();
      db.releaseSnapshot(snapshot);
      snapshot.close();
      onRelease.run();
    }
  }
}
