package dev.tidemark.embedded.internal;

import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.embedded.EngineStatistics;
import dev.tidemark.embedded.internal.commit.CommitPipeline;
import dev.tidemark.embedded.internal.commit.GroupCommit;
import dev.tidemark.embedded.internal.commit.PreparedCommit;
import dev.tidemark.embedded.internal.commit.WatchTable;
import dev.tidemark.embedded.internal.common.EngineCounters;
import dev.tidemark.embedded.internal.files.Backup;
import dev.tidemark.embedded.internal.files.DirectoryFormat;
import dev.tidemark.embedded.internal.files.DirectoryLock;
import dev.tidemark.embedded.internal.files.StoreFiles;
import dev.tidemark.embedded.internal.read.GapFinder;
import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.embedded.internal.storage.PublishedVersions;
import dev.tidemark.embedded.internal.storage.RocksStorage;
import dev.tidemark.embedded.internal.storage.SplitPoints;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.backup.BackupTarget;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.kv.spi.StoreIdentity;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.CommitListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One open database: its storage, the versions being read, the commits and the watches. */
public final class Engine implements AutoCloseable {
  private static final String CHECKPOINT = "checkpoint-";

  private final EmbeddedOptions options;
  private final @Nullable Path directory;
  private final @Nullable DirectoryLock lock;
  private final RocksStorage storage;
  private final StoreIdentity identity;
  private final PublishedVersions versions;
  private final WatchTable watches;
  private final GapFinder gaps;
  private final EngineCounters counters = new EngineCounters();
  private final BatchGate batches;
  private final CommitPipeline pipeline;

  /** Read-held by calls that use {@link #storage} beside reads and commits. */
  private final ReentrantReadWriteLock lifecycle = new ReentrantReadWriteLock();

  private volatile boolean closed;

  /** Whether everything native is gone; guarded by {@link #lifecycle}. */
  private boolean released;

  private Engine(
      RocksStorage storage,
      @Nullable Path directory,
      @Nullable DirectoryLock lock,
      EmbeddedOptions options) {
    this.lock = lock;
    this.options = options;
    this.directory = directory;
    this.storage = storage;
    this.identity = new StoreIdentity(storage.storeId(), UUID.randomUUID());
    this.watches = new WatchTable(options.limits().watches());
    this.batches =
        new BatchGate(counters, options.time(), Runtime.getRuntime().availableProcessors());
    long version = Math.max(storage.storedVersion() + 1, options.time().wallMicros());
    this.versions =
        new PublishedVersions(
            storage, version, options.time(), options.limits().readWindow(), this::whyRetired);
    this.gaps = new GapFinder(storage.gaps(), versions::hold);
    storage.gaps().onMissed(gaps::wanted);
    GroupCommit groups =
        new GroupCommit(
            storage,
            version,
            versions,
            watches,
            counters,
            options.limits(),
            options.time(),
            gaps::cleared);
    this.pipeline = new CommitPipeline(groups, versions, this::closedException);
    pipeline.start();
  }

  /** Opens the database in {@code directory}; creates one if the directory is empty or absent. */
  public static Engine open(Path directory, EmbeddedOptions options) {
    DirectoryFormat.look(directory);
    DirectoryLock lock = DirectoryLock.take(directory);
    try {
      return open(directory, lock, options);
    } catch (RuntimeException | Error failure) {
      lock.close();
      throw failure;
    }
  }

  private static Engine open(Path directory, DirectoryLock lock, EmbeddedOptions options) {
    StoreFiles files = StoreFiles.prepare(directory, options.sync());
    RocksStorage storage = RocksStorage.open(files, options);
    try {
      files.opened();
      Backup.deleteLeftovers(directory, CHECKPOINT);
      return new Engine(storage, directory, lock, options);
    } catch (RuntimeException | Error failure) {
      storage.close();
      throw failure;
    }
  }

  /** Opens an empty database without files. */
  public static Engine inMemory(EmbeddedOptions options) {
    return new Engine(RocksStorage.inMemory(options), null, null, options);
  }

  /** Opens a transaction. */
  public Transaction begin(TransactionOptions transactionOptions) {
    checkOpen();
    if (transactionOptions.priority() == TransactionOptions.Priority.BATCH) {
      batches.enter(transactionOptions.timeout().orElse(Duration.ZERO), this::checkOpen);
    }
    return new EmbeddedTransaction(this, transactionOptions);
  }

  Commit.Position commit(Commit commit, long nanos) {
    return pipeline.commit(prepared(commit), nanos);
  }

  /** Enqueues a commit, and returns the action that wakes the committer. */
  Runnable commitLater(Commit commit, CommitListener listener) {
    return pipeline.commitLater(prepared(commit), listener);
  }

  /**
   * The outcome of {@code commit}, within {@code nanos}; if it was not committed, it can no longer
   * be.
   */
  CommitId.Fate settle(IdentifiedCommit commit, long nanos) {
    versions.checkCommitted(commit.version());
    pipeline.giveUp(commit, nanos);
    return pipeline.ids().find(commit, versions::hold);
  }

  private PreparedCommit prepared(Commit commit) {
    PinnedVersion latest = versions.hold();
    try {
      return PreparedCommit.of(commit, latest);
    } finally {
      latest.drop();
    }
  }

  /** Registers {@code watch}, so that commits check it, and checks its key once now. */
  void activate(KeyWatch watch) {
    watches.activate(watch);
    try {
      PinnedVersion latest = versions.hold();
      try {
        watch.check(latest.get(watch.key().unsafeBytes()));
      } finally {
        latest.drop();
      }
    } catch (TransactionClosedException databaseClosed) {
      watch.close();
    } catch (DatabaseException unreadable) {
      watch.fire(); // The waiter reads the key, and gets this failure.
    }
  }

  /** Roughly how many bytes the keys and values of {@code range} take. */
  public long estimatedSize(KeyRange range) {
    checkBounds(range);
    return whileOpen(
        open -> open.estimatedSize(range.begin().unsafeBytes(), range.end().unsafeBytes()));
  }

  /** Keys that cut {@code range} into pieces of roughly {@code pieceBytes}. */
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    checkBounds(range);
    if (pieceBytes <= 0) {
      throw UsageException.invalidOption(
          "pieceBytes is " + pieceBytes + "; it must be greater than zero");
    }
    return whileOpen(
        open -> {
          PinnedVersion latest = versions.hold();
          try {
            return SplitPoints.of(open, latest, range, pieceBytes);
          } finally {
            latest.drop();
          }
        });
  }

  private static void checkBounds(KeyRange range) {
    if (range.end().compareTo(Key.END) > 0) {
      throw UsageException.keyOutsideLegalRange(range.end());
    }
  }

  /** Compares the checksums of all files. */
  public void verify() {
    this.<Boolean>whileOpen(
        open -> {
          open.verifyChecksums();
          return true;
        });
  }

  /** Hands the files of the database as it is now to {@code target}, while it is in use. */
  public void backup(BackupTarget target) {
    Path home = directory;
    if (home == null) {
      throw UsageException.invalidOperation(
          "A database in memory has no files to back up; open one in a directory");
    }
    Path checkpoint = home.resolve(CHECKPOINT + UUID.randomUUID());
    this.<Boolean>whileOpen(
        open -> {
          try {
            open.checkpoint(checkpoint);
            Backup.create(checkpoint, target);
            return true;
          } finally {
            if (checkpoint.toFile().exists()) {
              Backup.deleteTree(checkpoint);
            }
          }
        });
  }

  /** Makes {@code target} a database from the backup in {@code backup}. */
  public static void restore(Path backup, Path target) {
    Backup.restore(backup, target);
  }

  /** Makes later commits get versions greater than {@code reached}. */
  public void advance(long reached) {
    pipeline.advance(reached);
  }

  /** What the engine has counted, and how much it holds. */
  public EngineStatistics statistics() {
    return whileOpen(
        open ->
            new EngineStatistics(
                counters.commits(),
                counters.conflicts(),
                counters.tooOldCommits(),
                counters.groups(),
                counters.largestGroup(),
                Duration.ofNanos(counters.latencyNanos(0.5)),
                Duration.ofNanos(counters.latencyNanos(0.99)),
                Duration.ofNanos(counters.slowestNanos()),
                counters.openTransactions(),
                open.pinnedVersions(),
                watches.size(),
                open.cacheUsage(),
                open.property("rocksdb.cur-size-all-mem-tables"),
                open.property("rocksdb.total-sst-files-size")));
  }

  private <T> T whileOpen(Function<RocksStorage, T> call) {
    Lock shared = lifecycle.readLock();
    shared.lock();
    try {
      checkOpen();
      return call.apply(storage);
    } finally {
      shared.unlock();
    }
  }

  void checkOpen() {
    if (closed) {
      throw closedException();
    }
  }

  private DatabaseException closedException() {
    return TransactionClosedException.databaseClosed(
        "The database " + (directory == null ? "in memory" : "in " + directory) + " is closed");
  }

  private DatabaseException whyRetired() {
    return closed ? closedException() : EmbeddedTransaction.tooOld(this);
  }

  /** How this engine works. */
  public EmbeddedOptions options() {
    return options;
  }

  StoreIdentity identity() {
    return identity;
  }

  PublishedVersions versions() {
    return versions;
  }

  WatchTable watches() {
    return watches;
  }

  BatchGate batches() {
    return batches;
  }

  EngineCounters counters() {
    return counters;
  }

  /** Finishes the commits under way, ends transactions and watches, and releases the files. */
  @Override
  public void close() {
    Lock alone = lifecycle.writeLock();
    alone.lock();
    try {
      if (released) {
        return;
      }
      closed = true;
      pipeline.close();
      gaps.close();
      watches.close();
      versions.close();
      storage.close();
      released = true;
      if (lock != null) {
        lock.close();
      }
    } finally {
      alone.unlock();
    }
  }
}
