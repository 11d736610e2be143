package dev.tidemark.testkit.cluster;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A transaction that acts like one of a cluster's client. */
final class ClusterLikeTransaction extends ForwardingTransaction {
  /** What the client counts for a write beside its key and value. */
  private static final int WRITE_BYTES = 80;

  /** Read by every transaction whose version is set, so that the store checks the version. */
  private static final Key SELF =
      Key.of((byte) 0xfe).append("self".getBytes(StandardCharsets.US_ASCII));

  private final ClusterLikeDatabase database;
  private final long sizeLimit;
  private final ReadTransaction reads;
  private final ReadTransaction snapshot;

  /** Writes are guarded by it, because a client takes them one after the other. */
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final PendingStamps stamps = new PendingStamps();
  private final Set<Key> written = new HashSet<>();
  private long extraBytes;
  private long repeatedBytes;
  private boolean nextIsQuiet;

  private volatile @Nullable DatabaseException failedRead;
  private volatile boolean hasRead;
  private volatile int recoveriesAtFirstRead = -1;
  private volatile long versionThatWasSet = -1;

  ClusterLikeTransaction(
      ClusterLikeDatabase database, Transaction delegate, TransactionOptions options) {
    super(delegate);
    this.database = database;
    this.sizeLimit = options.sizeLimit().orElse(database.limits().transactionBytes());
    this.reads = new ClusterLikeReads(this, delegate);
    this.snapshot = new ClusterLikeReads(this, delegate.snapshot());
  }

  boolean readsAhead() {
    return database.readsAhead();
  }

  // ---- reads

  /** Does {@code read}; a failure of the store is one of the commit, too. */
  <T> T read(Supplier<T> read) {
    try {
      checkRecoveries();
      T result = read.get();
      hasRead = true;
      return result;
    } catch (UnreadableKeyException | TransactionTooOldException | UnavailableException failure) {
      if (failedRead == null) {
        failedRead = failure;
      }
      throw failure;
    }
  }

  private void checkRecoveries() {
    int now = database.recoveries();
    if (recoveriesAtFirstRead < 0) {
      recoveriesAtFirstRead = now;
    }
    if (recoveriesAtFirstRead != now) {
      throw new TransactionTooOldException("The cluster has recovered since the first read");
    }
  }

  @Override
  public Optional<byte[]> get(Key key) {
    return reads.get(key);
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    return reads.getAll(keys);
  }

  @Override
  public Key getKey(KeySelector selector) {
    return reads.getKey(selector);
  }

  @Override
  public Scan scan(KeyRange range) {
    return reads.scan(range);
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    return reads.scan(begin, end);
  }

  @Override
  public ReadTransaction snapshot() {
    return snapshot;
  }

  @Override
  public long readVersion() {
    return reads.readVersion();
  }

  @Override
  public void setReadVersion(long version) {
    super.setReadVersion(version);
    versionThatWasSet = version;
  }

  // ---- writes

  private void write(Key key, int bytes, boolean mayBeQuiet, Runnable change) {
    lock.lock();
    try {
      if (nextIsQuiet && mayBeQuiet) {
        delegate.nextWriteWithoutConflict();
      }
      change.run();
      nextIsQuiet = false;
      extraBytes += WRITE_BYTES;
      if (!written.add(key)) {
        repeatedBytes += WRITE_BYTES + bytes;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void set(Key key, byte[] value) {
    write(key, key.size() + value.length, true, () -> super.set(key, value));
  }

  @Override
  public void clear(Key key) {
    write(key, key.size(), true, () -> super.clear(key));
  }

  @Override
  public void clear(KeyRange range) {
    write(
        range.begin(),
        range.begin().size() + range.end().size(),
        true,
        () -> {
          super.clear(range);
          stamps.clear(range);
        });
  }

  @Override
  public void mutate(MutationType type, Key key, byte[] operand) {
    boolean stampedKey = type == MutationType.SET_VERSIONSTAMPED_KEY;
    write(
        key,
        key.size() + operand.length,
        !stampedKey,
        () -> {
          super.mutate(type, key, operand);
          if (stampedKey) {
            stamps.set(key, operand, hasRead ? delegate.readVersion() : 0);
          }
        });
  }

  @Override
  public void nextWriteWithoutConflict() {
    delegate.addWriteConflict(KeyRange.of(SELF, SELF)); // throws if the transaction has ended
    lock.lock();
    try {
      nextIsQuiet = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long size() {
    lock.lock();
    try {
      return super.size() + extraBytes + repeatedBytes;
    } finally {
      lock.unlock();
    }
  }

  // ---- the end

  @Override
  public void beforeCommit(Consumer<? super Transaction> action) {
    super.beforeCommit(below -> action.accept(this));
  }

  @Override
  public void commit() {
    prepareCommit();
    if (hasWrites()) {
      database.beforeCommit();
      refuse();
      lock.lock();
      try {
        stamps.send(delegate);
      } finally {
        lock.unlock();
      }
      if (versionThatWasSet >= 0 && !isStillToCome(versionThatWasSet)) {
        delegate.addReadConflict(SELF);
      }
    } else if (failedRead != null) {
      throw abandoned(failedRead);
    }
    super.commit();
  }

  private boolean isStillToCome(long version) {
    try (Transaction latest = database.engine().begin()) {
      return latest.readVersion() < version;
    }
  }

  /** Throws if the client or the cluster refuses the commit. */
  private void refuse() {
    if (failedRead != null) {
      throw abandoned(failedRead);
    }
    if (recoveriesAtFirstRead >= 0 && recoveriesAtFirstRead != database.recoveries()) {
      throw abandoned(
          new TransactionTooOldException("The cluster has recovered since the first read"));
    }
    long size = size() - repeatedBytes;
    if (size > sizeLimit) {
      throw abandoned(LimitExceededException.transaction(size, sizeLimit));
    }
  }

  private DatabaseException abandoned(DatabaseException failure) {
    delegate.cancel();
    return failure;
  }
}
