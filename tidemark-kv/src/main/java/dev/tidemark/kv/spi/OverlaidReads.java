package dev.tidemark.kv.spi;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.commit.Write;
import dev.tidemark.kv.spi.commit.WriteSet;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.kv.spi.scan.ScanRequest;
import dev.tidemark.kv.spi.scan.SourceScan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reading half of a transaction: a committed version with the own writes laid over it. */
abstract class OverlaidReads implements Transaction {
  /** Rows that a selector with a large offset counts at a time. */
  private static final int SELECTOR_PORTION = 1_000;

  final Limits limits;
  final KeyChecks checks;
  final ReentrantLock lock = new ReentrantLock();

  // The fields below are guarded by lock.
  final WriteSet writes;
  final ReadSet reads = new ReadSet();
  private @Nullable BaseReads base;

  private volatile @Nullable DatabaseException failedRead;

  /** The version that is read and checked for conflicts; -1 until somebody asks for it. */
  private long readVersion = -1;

  OverlaidReads(Limits limits) {
    this.limits = limits;
    this.checks = new KeyChecks(limits);
    this.writes = new WriteSet(limits);
  }

  /** Pins the latest committed version. Called once, at the first read. */
  protected abstract BaseReads openBase();

  /**
   * Pins {@code version}, which was set by the program. Called once, at the first read.
   *
   * @throws UnavailableException if it has not been committed yet
   * @throws TransactionTooOldException if it is no longer kept
   */
  protected abstract BaseReads openBase(long version);

  /**
   * A version that was the latest not long ago, or -1 where none is known without asking for it. A
   * transaction that has read nothing may check its conflicts from there on.
   */
  protected long recentVersion() {
    return -1;
  }

  /** Throws if the transaction has ended or must end now. Called under the lock. */
  abstract void checkActive();

  @Override
  public Optional<byte[]> get(Key key) {
    return get(key, true);
  }

  final Optional<byte[]> get(Key key, boolean conflicts) {
    checks.readable(key);
    try {
      return getReadable(key, conflicts);
    } catch (UnreadableKeyException | TransactionTooOldException | UnavailableException failed) {
      throw failingTheCommit(failed);
    }
  }

  private Optional<byte[]> getReadable(Key key, boolean conflicts) {
    Write own;
    BaseReads below;
    lock.lock();
    try {
      checkActive();
      own = findOwn(key);
      if (own != null && !(own instanceof Write.Mutate)) {
        return Optional.ofNullable(own.applyTo(null, key, limits)).map(byte[]::clone);
      }
      if (conflicts) {
        reads.add(key);
      }
      below = openedBase();
    } finally {
      lock.unlock();
    }
    byte[] value = readBelow(() -> below.get(key));
    return own == null
        ? Optional.ofNullable(value)
        : Optional.ofNullable(own.applyTo(value, key, limits)).map(byte[]::clone);
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    return getAll(keys, true);
  }

  final Map<Key, byte[]> getAll(Collection<Key> keys, boolean conflicts) {
    List<Key> wanted = List.copyOf(keys);
    wanted.forEach(checks::readable);
    try {
      return getAllReadable(wanted, conflicts);
    } catch (UnreadableKeyException | TransactionTooOldException | UnavailableException failed) {
      throw failingTheCommit(failed);
    }
  }

  private Map<Key, byte[]> getAllReadable(List<Key> wanted, boolean conflicts) {
    Map<Key, Write> own = new LinkedHashMap<>();
    List<Key> missing = new ArrayList<>(wanted.size());
    BaseReads below;
    lock.lock();
    try {
      checkActive();
      for (Key key : wanted) {
        Write write = findOwn(key);
        if (write != null) {
          own.put(key, write);
        }
        if (write == null || write instanceof Write.Mutate) {
          missing.add(key);
          if (conflicts) {
            reads.add(key);
          }
        }
      }
      below = openedBase();
    } finally {
      lock.unlock();
    }
    Map<Key, byte[]> stored = readBelow(() -> below.getAll(missing));
    Map<Key, byte[]> values = new LinkedHashMap<>();
    for (Key key : wanted) {
      Write write = own.get(key);
      byte[] value = stored.get(key);
      value = write == null ? value : write.applyTo(value, key, limits);
      if (value != null) {
        values.put(key, write == null ? value : value.clone());
      }
    }
    return values;
  }

  @Override
  public Key getKey(KeySelector selector) {
    return getKey(selector, true);
  }

  final Key getKey(KeySelector selector, boolean conflicts) {
    checks.bound(selector.key());
    Key bound = selector.orEqual() ? selector.key().next() : selector.key();
    bound = bound.compareTo(Key.END) > 0 ? Key.END : bound;
    boolean reverse = selector.offset() <= 0;
    long steps = reverse ? 1L - selector.offset() : selector.offset();
    Key begin = reverse ? Key.EMPTY : bound;
    Key end = reverse ? bound : Key.END;
    while (true) {
      ScanPortion portion =
          begin.compareTo(end) < 0
              ? scan(begin, end, portionOf(steps), Integer.MAX_VALUE, reverse, conflicts)
              : new ScanPortion(List.of(), false);
      steps -= portion.rows().size();
      if (steps == 0) {
        return portion.rows().getLast().key();
      }
      if (!portion.more()) {
        return reverse ? Key.EMPTY : Key.END;
      }
      Key last = portion.rows().getLast().key();
      begin = reverse ? begin : last.next();
      end = reverse ? last : end;
    }
  }

  private static int portionOf(long steps) {
    return (int) Math.min(steps, SELECTOR_PORTION);
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    return scan(begin, end, true);
  }

  final Scan scan(KeySelector begin, KeySelector end, boolean conflicts) {
    checks.bound(begin.key());
    checks.bound(end.key());
    return SourceScan.of(request -> fetch(request, conflicts), begin, end);
  }

  private ScanPortion fetch(ScanRequest request, boolean conflicts) {
    Key begin = bound(request.begin(), conflicts);
    Key end = bound(request.end(), conflicts);
    return begin.compareTo(end) >= 0
        ? new ScanPortion(List.of(), false)
        : scan(begin, end, request.rows(), request.bytes(), request.reverse(), conflicts);
  }

  /** Where a scan begins or ends; the two usual selectors say so without a read. */
  private Key bound(KeySelector selector, boolean conflicts) {
    if (selector.offset() != 1) {
      return getKey(selector, conflicts);
    }
    Key key = selector.orEqual() ? selector.key().next() : selector.key();
    return key.compareTo(Key.END) > 0 ? Key.END : key;
  }

  private ScanPortion scan(
      Key begin, Key end, int rows, int bytes, boolean reverse, boolean conflicts) {
    try {
      return scanReadable(begin, end, rows, bytes, reverse, conflicts);
    } catch (UnreadableKeyException | TransactionTooOldException | UnavailableException failed) {
      throw failingTheCommit(failed);
    }
  }

  private ScanPortion scanReadable(
      Key begin, Key end, int rows, int bytes, boolean reverse, boolean conflicts) {
    BaseReads below;
    lock.lock();
    try {
      checkActive();
      below = openedBase();
      if (!writes.leavesUntouched(begin, end)) {
        ScanPortion portion =
            new MergedScan(writes, below, limits, begin, end, reverse).read(rows, bytes);
        if (conflicts) {
          KeyRange seen = scanned(begin, end, portion, reverse);
          addRead(seen.begin(), seen.end());
        }
        return portion;
      }
    } finally {
      lock.unlock();
    }
    ScanPortion portion = readBelow(() -> below.scan(begin, end, rows, bytes, reverse));
    lock.lock();
    try {
      checkActive();
      if (conflicts) {
        // All of it: what another thread has cleared by now was not clear when it was read.
        KeyRange seen = scanned(begin, end, portion, reverse);
        reads.add(seen.begin(), seen.end());
      }
    } finally {
      lock.unlock();
    }
    return portion;
  }

  /**
   * A portion of the committed rows, for a server: it is without own writes, causes no conflicts,
   * and shares its rows with other readers, so they must not be changed.
   */
  public final ScanPortion scanShared(KeyRange range, int rows, int bytes, boolean reverse) {
    checks.bound(range.begin());
    checks.bound(range.end());
    if (range.isEmpty()) {
      return new ScanPortion(List.of(), false);
    }
    BaseReads below = activeBase();
    return readBelow(() -> below.scanShared(range.begin(), range.end(), rows, bytes, reverse));
  }

  /**
   * The committed value of {@code key} if it is in memory, for a server; it causes no conflict.
   * Null if reading it may block.
   */
  public final BaseReads.@Nullable AtHand getAtHand(Key key) {
    checks.readable(key);
    BaseReads below = activeBase();
    return readBelow(() -> below.getAtHand(key));
  }

  /**
   * Whether it is known, without reading, that the committed rows of {@code range} are the same as
   * in version {@code since}. For a server whose client has those rows; false means unknown.
   */
  public final boolean isUnchanged(KeyRange range, long since) {
    BaseReads below = activeBase();
    return !range.isEmpty() && below.isUnchanged(range.begin(), range.end(), since);
  }

  /** The part of a range that a portion covers. */
  private static KeyRange scanned(Key begin, Key end, ScanPortion portion, boolean reverse) {
    if (!portion.more()) {
      return KeyRange.of(begin, end);
    }
    Key last = portion.rows().getLast().key();
    return reverse ? KeyRange.of(last, end) : KeyRange.of(begin, last.next());
  }

  /** Adds a range to what was read, without the parts that this transaction has cleared itself. */
  private void addRead(Key begin, Key end) {
    Key from = begin;
    Map.Entry<Key, Key> clear = writes.clearAtOrAfter(from);
    while (clear != null && clear.getKey().compareTo(end) < 0) {
      reads.add(from, clear.getKey());
      from = clear.getValue();
      clear = writes.clearAtOrAfter(from);
    }
    reads.add(from, end);
  }

  @Override
  public long readVersion() {
    lock.lock();
    try {
      checkActive();
      fixReadVersion();
      return knownReadVersion();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The version from which conflicts are checked. If nothing was read yet, a recent version serves
   * as well as the latest and costs no request.
   */
  final long conflictVersion() {
    lock.lock();
    try {
      checkActive();
      if (readVersion < 0 && base == null) {
        readVersion = recentVersion();
      }
      fixReadVersion();
      return knownReadVersion();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setReadVersion(long version) {
    if (version <= 0) {
      throw UsageException.invalidVersion(version);
    }
    lock.lock();
    try {
      checkActive();
      if (readVersion >= 0 || base != null) {
        throw UsageException.readVersionAlreadySet(knownReadVersion());
      }
      readVersion = version;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ReadTransaction snapshot() {
    return new SnapshotView(this);
  }

  /**
   * Notes a failed read: its caller may have gone on without the answer, so the commit is refused,
   * as on a FoundationDB cluster. The first failed read counts.
   */
  private <E extends DatabaseException> E failingTheCommit(E read) {
    if (failedRead == null) {
      failedRead = read;
    }
    return read;
  }

  /** Throws if a failed read prevents the commit. */
  final void checkReadsSucceeded() {
    DatabaseException failed = failedRead;
    if (failed == null) {
      return;
    }
    String text = failed.getMessage() + ". A transaction with a failed read cannot be committed";
    throw switch (failed) {
      case TransactionTooOldException tooOld -> new TransactionTooOldException(text);
      case UnavailableException away -> new UnavailableException(away.code(), text, away);
      default -> UnreadableKeyException.reported(text);
    };
  }

  private @Nullable Write findOwn(Key key) {
    if (writes.isEmpty()) {
      return null;
    }
    if (writes.isUnreadable(key)) {
      throw new UnreadableKeyException(key);
    }
    return writes.find(key);
  }

  /** A read outside the lock, which a close of the transaction may overtake. */
  private <T extends @Nullable Object> T readBelow(Supplier<T> read) {
    try {
      return read.get();
    } catch (TransactionTooOldException tooOld) {
      lock.lock();
      try {
        checkActive();
      } finally {
        lock.unlock();
      }
      throw tooOld;
    }
  }

  /** What is committed, if the transaction goes on. */
  private BaseReads activeBase() {
    lock.lock();
    try {
      checkActive();
      return openedBase();
    } finally {
      lock.unlock();
    }
  }

  private BaseReads openedBase() {
    BaseReads opened = base;
    if (opened == null) {
      opened = readVersion < 0 ? openBase() : openBase(readVersion);
      base = opened;
    }
    return opened;
  }

  /** A version that was set need not be pinned for conflicts to be checked from it. */
  final void fixReadVersion() {
    if (readVersion < 0) {
      openedBase();
    }
  }

  /**
   * The version that is read, or -1 if it is not fixed yet. An engine over a network may have to
   * wait for it, so it is asked for only when it is needed. Called under the lock.
   */
  final long knownReadVersion() {
    if (readVersion < 0 && base != null) {
      readVersion = base.version();
    }
    return readVersion;
  }

  final void closeBase() {
    if (base != null) {
      base.close();
      base = null;
    }
  }
}
