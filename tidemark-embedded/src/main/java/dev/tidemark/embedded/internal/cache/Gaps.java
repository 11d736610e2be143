package dev.tidemark.embedded.internal.cache;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Why gaps are remembered
 *
 * RocksDB keeps cleared keys until it has rewritten its files, and an iterator walks through them
 * key by key: slowly, and backwards ten times as slowly. Queues are drained at one end and polled
 * there. So ranges that are known to be empty are remembered, and reads begin behind them.
 *
 * When a gap may be used
 *
 * The committer reports what a version writes before it publishes the version: a set cuts the gap
 * that it falls into, a clear makes or extends one. So a reader may skip a gap that is not younger
 * than its version. A gap that grows remembers its earlier extent, for readers of earlier
 * versions.
 *
 * A reader that walks through deleted keys notes them as a gap. Later versions may set keys there
 * meanwhile, so the reader first registers the range that it searches, and keys that are set there
 * shorten it. Keys that were set before the registration have cut nothing: so the committer first
 * notes the version that it is about to report, and readers of earlier versions do not search, but
 * leave it to the finder. Both do so under `lock`.
 *
 * The part of a gap behind a key that was set in it is called a rest. When another key is set in
 * the rest, as by a program that appends, the part between the two keys is forgotten: it was
 * hardly ever used.
 */

/** Known ranges of keys that were cleared and have no values. */
public final class Gaps {
  private static final int GAPS_MAX = 4_096;

  /** Keys from here on are the engine's own; their writes are not reported here. */
  static final byte[] KEYS_END = {(byte) 0xff};

  /** If more readers than this note gaps at a time, the others note nothing. */
  private static final int SEARCHES_MAX = 64;

  /** The most gaps that are examined to find one to forget. */
  private static final int LOOKED_AT_MAX = 64;

  private final ConcurrentSkipListMap<byte[], Gap> gaps =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /**
   * A lock for which virtual threads do not unmount, for the same reason as in {@link ScanCache}.
   */
  private final Object lock = new Object();

  /** Searches under way; changed under lock. */
  private final List<Search> searches = new CopyOnWriteArrayList<>();

  private volatile Consumer<byte[]> missed = key -> {};

  // Guarded by lock: the last version that was or is being reported; the number of gaps; where the
  // search
  // for one to forget goes on.
  private long writing;
  private int count;
  private byte[] hand = {};

  public boolean isEmpty() {
    return gaps.isEmpty();
  }

  /** The gap with {@code key} at {@code version}. */
  @Nullable
  public Gap at(byte[] key, long version) {
    Gap gap = value(gaps.floorEntry(key), version);
    return gap != null && gap.has(key) ? gap : null;
  }

  /** The gap with the keys just before {@code key} at {@code version}. */
  @Nullable
  public Gap before(byte[] key, long version) {
    Gap gap = value(gaps.lowerEntry(key), version);
    return gap != null && gap.hasBefore(key) ? gap : null;
  }

  /** Where rows from {@code key} on may be at {@code version}: behind the gap that has it. */
  public byte[] behind(byte[] key, long version) {
    Gap gap = isEmpty() ? null : at(key, version);
    return gap == null ? key : gap.end();
  }

  /** Where rows before {@code key} may end at {@code version}: before the gap that ends there. */
  public byte[] aheadOf(byte[] key, long version) {
    Gap gap = isEmpty() ? null : before(key, version);
    return gap == null ? key : gap.begin();
  }

  /** The first gap at {@code version} that begins after {@code from} and before {@code to}. */
  @Nullable
  public Gap firstBetween(byte[] from, byte[] to, long version) {
    Map.Entry<byte[], Gap> entry = gaps.floorEntry(from);
    Gap gap = value(entry, version);
    if (gap == null || Arrays.compareUnsigned(gap.begin(), from) <= 0) {
      gap = value(gaps.higherEntry(from), version);
    }
    return gap != null && Arrays.compareUnsigned(gap.begin(), to) < 0 ? gap : null;
  }

  /** The last gap at {@code version} that ends after {@code from} and before {@code to}. */
  @Nullable
  public Gap lastBetween(byte[] from, byte[] to, long version) {
    Gap gap = value(gaps.lowerEntry(to), version);
    return gap != null
            && Arrays.compareUnsigned(from, gap.end()) < 0
            && Arrays.compareUnsigned(gap.end(), to) < 0
        ? gap
        : null;
  }

  /** Where the first gap begins after {@code key}, whatever its version, or the last key ends. */
  public byte[] nextBegin(byte[] key) {
    byte[] next = gaps.higherKey(key);
    return next == null ? KEYS_END : next;
  }

  private static @Nullable Gap value(Map.@Nullable Entry<byte[], Gap> entry, long version) {
    return entry == null ? null : entry.getValue().at(version);
  }

  /** A reader on its way through deleted keys. */
  public final class Search implements AutoCloseable {
    private final boolean reverse;
    private final long least;

    // Guarded by lock: nothing has been set between these since it began.
    private byte[] from;
    private byte[] to;

    private Search(byte[] from, byte[] to, boolean reverse, long least) {
      this.from = from;
      this.to = to;
      this.reverse = reverse;
      this.least = least;
    }

    /** Whether a gap found at {@code version} is useful for other readers. */
    public boolean isFor(long version) {
      return version >= least;
    }

    private void set(byte[] key) {
      if (Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0) {
        from = reverse ? after(key) : from;
        to = reverse ? to : key;
      }
    }

    /**
     * Notes that there is nothing between two keys at {@code version}, but for what was set
     * meanwhile; where {@code onlyMore}, only if that makes another gap larger.
     */
    public void found(byte[] begin, byte[] end, long version, boolean onlyMore) {
      synchronized (lock) {
        byte[] first = Arrays.compareUnsigned(from, begin) > 0 ? from : begin;
        byte[] last = Arrays.compareUnsigned(to, end) < 0 ? to : end;
        if (!onlyMore || touching(first, last) != null) {
          add(first, last, version);
        }
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        searches.remove(this);
      }
    }
  }

  /**
   * Registers a search between two keys, from the last one if {@code reverse}; null if there are
   * too many searches.
   */
  @Nullable
  public Search search(byte[] from, byte[] to, boolean reverse) {
    synchronized (lock) {
      if (searches.size() == SEARCHES_MAX) {
        return null;
      }
      Search search = new Search(from, to, reverse, writing);
      searches.add(search);
      return search;
    }
  }

  /** Reports a gap from {@code begin} on, found by a reader that could not note it. */
  public void missed(byte[] begin) {
    missed.accept(begin);
  }

  /** Calls {@code consumer} with places where a gap may be found. */
  public void onMissed(Consumer<byte[]> consumer) {
    missed = consumer;
  }

  /** Notes that the changes of {@code version}, which is not published yet, will be reported. */
  void writing(long version) {
    synchronized (lock) {
      writing = version;
    }
  }

  /** Notes that {@code version}, which is not published yet, sets {@code key}. */
  void set(byte[] key) {
    if (!searches.isEmpty()) {
      synchronized (lock) {
        searches.forEach(search -> search.set(key));
      }
    }
    if (gaps.isEmpty()) {
      return;
    }
    Map.Entry<byte[], Gap> floor = gaps.floorEntry(key);
    if (floor == null || !floor.getValue().has(key)) {
      return;
    }
    synchronized (lock) {
      floor = gaps.floorEntry(key);
      Gap gap = floor == null ? null : floor.getValue();
      if (gap != null && gap.has(key)) {
        remove(gap);
        put(gap.rest() ? null : gap.between(gap.begin(), key, false));
        put(gap.between(after(key), gap.end(), true));
      }
    }
  }

  /** Notes that {@code version}, which is not published yet, has nothing between two keys. */
  void cleared(byte[] begin, byte[] end, long version) {
    synchronized (lock) {
      add(begin, end, version);
    }
  }

  /** The same of few keys, which are noted only where they make a gap larger. */
  void extended(byte[] begin, byte[] end, long version) {
    if (!gaps.isEmpty()) {
      synchronized (lock) {
        if (touching(begin, end) != null) {
          add(begin, end, version);
        }
      }
    }
  }

  /** The key after {@code key}. */
  public static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  private void add(byte[] begin, byte[] to, long version) {
    byte[] end = Arrays.compareUnsigned(to, KEYS_END) > 0 ? KEYS_END : to;
    if (Arrays.compareUnsigned(begin, end) >= 0) {
      return;
    }
    Gap made = new Gap(begin, end, version, false, null);
    Gap other = touching(begin, end);
    if (other != null && other.since() <= version && other.covers(begin, end)) {
      return;
    }
    while (other != null) {
      remove(other);
      made = joined(made, other);
      other = touching(begin, end);
    }
    put(made);
    while (count > GAPS_MAX) {
      forgetOne();
    }
  }

  /** The union of two gaps that meet; the extent of the older one stays known. */
  private static Gap joined(Gap one, Gap other) {
    byte[] begin =
        Arrays.compareUnsigned(one.begin(), other.begin()) < 0 ? one.begin() : other.begin();
    byte[] end = Arrays.compareUnsigned(one.end(), other.end()) > 0 ? one.end() : other.end();
    Gap older = one.since() < other.since() ? one : other;
    return older.grown(begin, end, Math.max(one.since(), other.since()));
  }

  /** A gap that has a key in common with those between two, or meets them. */
  private @Nullable Gap touching(byte[] begin, byte[] end) {
    Map.Entry<byte[], Gap> floor = gaps.floorEntry(end);
    return floor != null && Arrays.compareUnsigned(floor.getValue().end(), begin) >= 0
        ? floor.getValue()
        : null;
  }

  private void put(@Nullable Gap gap) {
    if (gap != null) {
      gaps.put(gap.begin(), gap);
      count++;
    }
  }

  private void remove(Gap gap) {
    gaps.remove(gap.begin());
    count--;
  }

  private void forgetOne() {
    Gap gap = next();
    for (int i = 0; i < LOOKED_AT_MAX && !gap.rest(); i++) {
      gap = next();
    }
    remove(gap);
  }

  private Gap next() {
    Map.Entry<byte[], Gap> next = gaps.higherEntry(hand);
    if (next == null) {
      next = gaps.firstEntry();
    }
    hand = next.getKey();
    return next.getValue();
  }
}
