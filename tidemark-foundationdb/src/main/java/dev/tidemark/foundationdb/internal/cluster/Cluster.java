package dev.tidemark.foundationdb.internal.cluster;

import com.apple.foundationdb.FDBException;
import dev.tidemark.foundationdb.FoundationDbOptions;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.KeyChecks;
import dev.tidemark.kv.spi.KeyWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cluster as this process uses it: FoundationDB's client, and all that is open on it. */
public final class Cluster implements Database {
  private final com.apple.foundationdb.Database client;
  private final FoundationDbOptions options;
  private final Limits limits;
  private final KeyChecks checks;
  private final Replies replies;
  private final Set<ClusterTransaction> transactions = ConcurrentHashMap.newKeySet();
  private final Set<KeyWatch> watches = ConcurrentHashMap.newKeySet();
  private final Semaphore freeWatches;

  /** Shared by commits on their way, and taken as a whole by the close that waits for them. */
  private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

  private final VersionTimes versionTimes;
  private final Optional<VersionSampler> sampler;
  private final AtomicLong latestSeen = new AtomicLong();
  private volatile boolean closed;

  private Cluster(
      com.apple.foundationdb.Database client, FoundationDbOptions options, Limits limits) {
    this.client = client;
    this.options = options;
    this.limits = limits;
    this.checks = new KeyChecks(limits);
    this.replies = new Replies(options.responseTimeout());
    this.freeWatches = new Semaphore(limits.watches());
    this.versionTimes = new VersionTimes(options.time());
    this.sampler =
        options.sampleInterval().map(interval -> new VersionSampler(this, versionTimes, interval));
  }

  /** The cluster behind {@code client}, which is closed with it, also if this fails. */
  public static Cluster over(
      com.apple.foundationdb.Database client, FoundationDbOptions options, Limits limits) {
    try {
      client.options().setMaxWatches(limits.watches());
      // Otherwise a call that comes during a commit fails the commit too, which may happen anyway.
      client.options().setTransactionUsedDuringCommitProtectionDisable();
    } catch (FDBException error) {
      client.close();
      throw ClusterErrors.of(error);
    }
    Cluster cluster = new Cluster(client, options, limits);
    cluster.sampler.ifPresent(VersionSampler::start);
    return cluster;
  }

  // ---- transactions

  @Override
  public Transaction begin(TransactionOptions wanted) {
    long sizeLimit = wanted.sizeLimit().orElse(limits.transactionBytes());
    if (sizeLimit > limits.transactionBytes()) {
      throw UsageException.invalidOption(
          "sizeLimit is %,d; a cluster takes transactions of at most %,d bytes"
              .formatted(sizeLimit, limits.transactionBytes()));
    }
    checkOpen();
    ClusterTransaction tx;
    try {
      tx = new ClusterTransaction(this, newClientTransaction(wanted), wanted);
    } catch (FDBException error) {
      checkOpen();
      throw ClusterErrors.of(error);
    } catch (IllegalStateException clientIsClosed) {
      checkOpen();
      throw clientIsClosed;
    }
    transactions.add(tx);
    if (closed) {
      tx.close();
      checkOpen();
    }
    return tx;
  }

  private com.apple.foundationdb.Transaction newClientTransaction(TransactionOptions wanted) {
    com.apple.foundationdb.Transaction transaction = client.createTransaction();
    try {
      wanted.timeout().ifPresent(timeout -> transaction.options().setTimeout(wholeMillis(timeout)));
      wanted.sizeLimit().ifPresent(bytes -> transaction.options().setSizeLimit(bytes));
      if (wanted.priority() == TransactionOptions.Priority.BATCH) {
        transaction.options().setPriorityBatch();
      }
      return transaction;
    } catch (RuntimeException refused) {
      transaction.close();
      throw refused;
    }
  }

  /**
   * The client counts in milliseconds up to 24 days, and zero means no timeout. The transaction
   * itself keeps a longer one.
   */
  private static long wholeMillis(Duration timeout) {
    return Math.min(timeout.plusNanos(999_999).toMillis(), Integer.MAX_VALUE);
  }

  /** Does {@code commit} before the client is closed, or not at all. */
  void carryOut(Runnable commit) {
    commits.readLock().lock();
    try {
      commit.run();
    } finally {
      commits.readLock().unlock();
    }
  }

  void ended(ClusterTransaction tx) {
    transactions.remove(tx);
  }

  @Override
  public Limits limits() {
    return limits;
  }

  KeyChecks checks() {
    return checks;
  }

  Replies replies() {
    return replies;
  }

  // ---- versions

  /** Notes a version that the cluster has reached. */
  void seen(long version) {
    if (version > latestSeen.get()) {
      latestSeen.accumulateAndGet(version, Math::max);
    }
  }

  /**
   * Throws if the cluster has not reached {@code version} yet. Its resolvers would not see that: a
   * commit that names such a version conflicts with nothing. Asks only about versions that have not
   * been seen here.
   */
  void checkCommitted(long version) {
    if (version <= latestSeen.get()) {
      return;
    }
    long latest;
    try (Transaction now = begin(TransactionOptions.DEFAULTS)) {
      latest = now.readVersion();
    }
    if (version > latest) {
      throw UnavailableException.futureVersion(version, latest);
    }
  }

  // ---- watches

  /** A watch of {@code transaction} on {@code key}. */
  KeyWatch newWatch(Key key, com.apple.foundationdb.Transaction transaction) {
    if (!freeWatches.tryAcquire()) {
      throw LimitExceededException.watches(limits.watches());
    }
    CompletableFuture<Void> change;
    try {
      change = transaction.watch(key.unsafeBytes());
    } catch (RuntimeException failure) {
      freeWatches.release();
      throw failure;
    }
    KeyWatch watch =
        new KeyWatch(
            key,
            null,
            ended -> {
              watches.remove(ended);
              change.cancel(true);
              freeWatches.release();
            });
    watches.add(watch);
    var unused = change.whenComplete((changed, failure) -> end(watch, failure));
    if (closed) {
      watch.close();
    }
    return watch;
  }

  private static void end(KeyWatch watch, @Nullable Throwable failure) {
    switch (failure == null ? null : FdbErrors.unwrap(failure)) {
      case FDBException error -> end(watch, ClusterErrors.of(error));
      case CancellationException cancelled -> watch.close();
      case null, default -> watch.fire();
    }
  }

  /**
   * A watch that the cluster can no longer keep fires, because its waiter then reads the key, which
   * is what is left to do. A watch that it never accepted does not fire: its waiter would read for
   * ever. One that ends with a conflict belongs to a refused commit.
   */
  private static void end(KeyWatch watch, DatabaseException failure) {
    switch (failure) {
      case TransactionClosedException cancelled -> watch.close();
      case ConflictException refused -> watch.close();
      case InterruptedOperationException cancelled -> watch.close();
      case LimitExceededException refused -> watch.fail(refused);
      case UsageException refused -> watch.fail(refused);
      default -> watch.fire();
    }
  }

  // ---- the whole

  @Override
  public long estimatedSize(KeyRange range) {
    checks.bound(range.end());
    return onSnapshot(reads -> reads.estimatedSize(range));
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    checks.bound(range.end());
    return onSnapshot(reads -> reads.splitPoints(range, pieceBytes));
  }

  /** Reads with calls that only a cluster has: {@code read} passes on reads of ours. */
  private <T> T onSnapshot(Function<ClusterReads, T> body) {
    return this.<T, RuntimeException>read(tx -> body.apply((ClusterReads) tx));
  }

  @Override
  public Instant timeOf(long version) {
    return this.<Instant, RuntimeException>read(tx -> versionTimes.timeOf(tx, version));
  }

  @Override
  public long versionAt(Instant instant) {
    return this.<Long, RuntimeException>read(tx -> versionTimes.versionAt(tx, instant));
  }

  @Override
  public boolean commitCanBeUnknown() {
    return true;
  }

  @Override
  public TimeSource time() {
    return options.time();
  }

  /** The options that the cluster was opened with. */
  public FoundationDbOptions options() {
    return options;
  }

  private void checkOpen() {
    if (closed) {
      throw TransactionClosedException.databaseClosed(
          "The database is closed; open it again for further work");
    }
  }

  /** Waits for commits that are on their way, as long as those wait for the cluster. */
  @Override
  public void close() {
    closed = true;
    sampler.ifPresent(VersionSampler::close);
    transactions.forEach(ClusterTransaction::close);
    watches.forEach(KeyWatch::close);
    awaitCommits();
    client.close();
  }

  private void awaitCommits() {
    try {
      if (commits.writeLock().tryLock(options.responseTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
        commits.writeLock().unlock();
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
