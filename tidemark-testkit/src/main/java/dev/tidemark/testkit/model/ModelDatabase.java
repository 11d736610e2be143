package dev.tidemark.testkit.model;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store in the simplest code that keeps its promises: one lock and a sorted map that every
 * commit copies.
 *
 * <p>It is a second opinion on what an engine should do, and proof that the conformance suite can
 * be passed. A commit costs time in proportion to everything stored, so it is for tests of small
 * data only.
 */
public final class ModelDatabase implements Database {
  final ReentrantLock lock = new ReentrantLock();
  final Limits limits;
  private final TimeSource time;

  // Guarded by lock. A published map is never changed again, so that readers can keep it.
  private NavigableMap<Key, byte[]> contents = new TreeMap<>();
  private long version;
  private final Deque<Committed> recent = new ArrayDeque<>();

  /** Commits after this version are all among the recent ones. */
  private long forgotten;

  private final Set<ModelTransaction> transactions =
      Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<ModelWatch> watches = new HashSet<>();
  private final Set<ModelWatch> activeWatches = new HashSet<>();
  private boolean closed;

  private record Committed(long version, long nanos, List<KeyRange> written) {}

  private ModelDatabase(Limits limits, TimeSource time) {
    this.limits = limits;
    this.time = time;
    this.version = time.wallMicros();
    this.forgotten = version;
  }

  /** An empty store with default limits and the machine's clock. */
  public static ModelDatabase open() {
    return open(Limits.DEFAULTS, TimeSource.system());
  }

  /** An empty store with other limits or another clock. */
  public static ModelDatabase open(Limits limits, TimeSource time) {
    return new ModelDatabase(limits, time);
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    lock.lock();
    try {
      checkOpen();
      long sizeLimit = options.sizeLimit().orElse(limits.transactionBytes());
      if (sizeLimit > limits.transactionBytes()) {
        throw UsageException.invalidOption(
            "sizeLimit is %,d; the limit of this store is %,d"
                .formatted(sizeLimit, limits.transactionBytes()));
      }
      ModelTransaction transaction = new ModelTransaction(this, options);
      transactions.add(transaction);
      return transaction;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long estimatedSize(KeyRange range) {
    return pieces(range, Long.MAX_VALUE).bytes();
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    if (pieceBytes <= 0) {
      throw UsageException.invalidOption("pieceBytes is " + pieceBytes + "; it must be positive");
    }
    return pieces(range, pieceBytes).cuts();
  }

  private record Pieces(List<Key> cuts, long bytes) {}

  private Pieces pieces(KeyRange range, long pieceBytes) {
    List<Key> cuts = new ArrayList<>(List.of(range.begin()));
    long total = 0;
    long piece = 0;
    for (Map.Entry<Key, byte[]> row :
        openContents().subMap(range.begin(), range.end()).entrySet()) {
      if (piece >= pieceBytes) {
        cuts.add(row.getKey());
        piece = 0;
      }
      int size = row.getKey().size() + row.getValue().length;
      piece += size;
      total += size;
    }
    cuts.add(range.end());
    return new Pieces(cuts, total);
  }

  @Override
  public boolean commitCanBeUnknown() {
    return false;
  }

  /** Versions of the model are microseconds since 1970-01-01T00:00:00Z. */
  @Override
  public Instant timeOf(long version) {
    return Instant.EPOCH.plus(version, ChronoUnit.MICROS);
  }

  @Override
  public long versionAt(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      List.copyOf(transactions).forEach(ModelTransaction::close);
      List.copyOf(watches).forEach(ModelWatch::close);
    } finally {
      lock.unlock();
    }
  }

  // ---- for transactions, which hold the lock

  void checkOpen() {
    if (closed) {
      throw TransactionClosedException.databaseClosed("The database is closed");
    }
  }

  NavigableMap<Key, byte[]> openContents() {
    lock.lock();
    try {
      checkOpen();
      return contents;
    } finally {
      lock.unlock();
    }
  }

  long version() {
    return version;
  }

  void ended(ModelTransaction transaction) {
    transactions.remove(transaction);
  }

  /** What was stored at {@code wanted}, if that is the latest version or somebody reads it. */
  NavigableMap<Key, byte[]> contentsAt(long wanted) {
    checkKnown(wanted);
    if (wanted == version) {
      return contents;
    }
    return transactions.stream()
        .flatMap(transaction -> transaction.contentsAt(wanted).stream())
        .findAny()
        .orElseThrow(
            () -> new TransactionTooOldException("Nobody reads version " + wanted + " any more"));
  }

  /** When {@code known} was followed by another version, or now if it is the latest. */
  long latestUntilNanos(long known) {
    return recent.stream()
        .filter(commit -> commit.version() > known)
        .mapToLong(Committed::nanos)
        .findFirst()
        .orElse(time.nanos());
  }

  private void checkKnown(long wanted) {
    if (wanted > version) {
      throw UnavailableException.futureVersion(wanted, version);
    }
    if (wanted < forgotten) {
      throw new TransactionTooOldException(
          "What was written since version " + wanted + " is no longer known");
    }
  }

  /** Throws if somebody wrote what was read at {@code readVersion}. */
  void checkConflicts(long readVersion, Ranges read) {
    if (read.list().isEmpty()) {
      return;
    }
    checkKnown(readVersion);
    for (Committed other : recent) {
      if (other.version() > readVersion) {
        other.written().forEach(range -> checkUnread(range, read));
      }
    }
  }

  /** Makes {@code writes}; readers conflict with the ranges {@code conflicting} alone. */
  Versionstamp commit(
      List<ModelWrite> writes, List<ModelWrite> conflicting, Ranges writeConflicts) {
    version = Math.max(version + 1, time.wallMicros());
    Versionstamp stamp = Versionstamp.of(version, 0, 0);
    TreeMap<Key, byte[]> next = new TreeMap<>(contents);
    List<KeyRange> written = new ArrayList<>(writeConflicts.list());
    writes.forEach(write -> write.apply(next, stamp, limits));
    conflicting.forEach(write -> written.add(write.written(stamp)));
    contents = next;
    remember(new Committed(version, time.nanos(), written));
    List.copyOf(activeWatches).forEach(this::look);
    return stamp;
  }

  private static void checkUnread(KeyRange written, Ranges read) {
    read.firstIn(written)
        .ifPresent(
            key -> {
              throw new ConflictException("Another commit wrote " + key + " since it was read");
            });
  }

  /** Transactions that read before the window ended are refused anyway, so the rest can go. */
  private void remember(Committed commit) {
    recent.add(commit);
    long oldest = commit.nanos() - limits.readWindow().toNanos();
    while (recent.getFirst().nanos() < oldest) {
      forgotten = recent.removeFirst().version();
    }
  }

  ModelWatch newWatch(Key key, byte @Nullable [] seen) {
    if (watches.size() >= limits.watches()) {
      throw LimitExceededException.watches(limits.watches());
    }
    ModelWatch watch = new ModelWatch(this, key, seen);
    watches.add(watch);
    return watch;
  }

  void activate(ModelWatch watch) {
    if (watches.contains(watch)) {
      activeWatches.add(watch);
      look(watch);
    }
  }

  private void look(ModelWatch watch) {
    watch.look(contents.get(watch.key()));
  }

  void forget(ModelWatch watch) {
    watches.remove(watch);
    activeWatches.remove(watch);
  }
}
