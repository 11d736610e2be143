package dev.tidemark.foundationdb.internal.cluster;

import com.apple.foundationdb.FDBException;
import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.spi.KeyChecks;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.kv.spi.TransactionAttachments;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * The client keeps own writes, conflicts and limits. Added here is what our API promises beyond it:
 * what a transaction answers after its end, refusals of keys and sizes at the call that is wrong
 * instead of at the commit, and a read version from the first read conflict on.
 *
 * The client's transaction is closed by the call that ends this one, or at the end of the commit; calls that this overtakes fail in the client and get the state of this transaction instead.
 */

/** A transaction of FoundationDB's client. */
final class ClusterTransaction implements Transaction {
  private final Cluster cluster;
  private final com.apple.foundationdb.Transaction client;
  private final Lifecycle lifecycle;
  private final long sizeLimit;
  private final boolean hasOwnSizeLimit;
  private final ClusterReads reads;
  private final ClusterReads snapshotReads;

  /** Whether a read has begun or the version was set, so that it cannot be set any more. */
  private final AtomicBoolean versionChosen = new AtomicBoolean();

  private final AtomicLong bytesWritten = new AtomicLong();
  private final StampedRanges stamped = new StampedRanges();
  private final Queue<KeyWatch> watches = new ConcurrentLinkedQueue<>();
  private final TransactionAttachments attachments = new TransactionAttachments();

  /** Whether the cluster has answered a read, so that later commits are later than the version. */
  private volatile boolean versionKnown;

  /** The version that the program has chosen; zero without one. */
  private volatile long versionThatWasSet;

  private volatile boolean hasReadConflicts;
  private volatile boolean hasWrites;
  private volatile @Nullable Position position;

  /** Where a commit stands; without a stamp if it wrote nothing. */
  private record Position(long version, @Nullable Versionstamp stamp) {}

  ClusterTransaction(
      Cluster cluster, com.apple.foundationdb.Transaction client, TransactionOptions options) {
    this.cluster = cluster;
    this.client = client;
    this.lifecycle = new Lifecycle(options.timeout().orElse(Duration.ZERO), cluster.time());
    this.sizeLimit = options.sizeLimit().orElse(cluster.limits().transactionBytes());
    this.hasOwnSizeLimit = options.sizeLimit().isPresent();
    this.reads = new ClusterReads(this, client);
    this.snapshotReads = new ClusterReads(this, client.snapshot());
  }

  // ---- reads

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
  public Scan scan(KeySelector begin, KeySelector end) {
    return reads.scan(begin, end);
  }

  @Override
  public ReadTransaction snapshot() {
    return snapshotReads;
  }

  @Override
  public long readVersion() {
    long version = read(() -> await(client.getReadVersion()));
    if (versionThatWasSet == 0) {
      cluster.seen(version);
    }
    return version;
  }

  @Override
  public void setReadVersion(long version) {
    checkActive();
    if (version <= 0) {
      throw UsageException.invalidVersion(version);
    }
    if (!versionChosen.compareAndSet(false, true)) {
      throw UsageException.readVersionAlreadySet(readVersion());
    }
    perform(() -> client.setReadVersion(version));
    versionThatWasSet = version;
    versionKnown = true;
  }

  /**
   * The client takes its read version as late as it can; what is written until then would not be a
   * conflict for {@link #addReadConflict}, nor a change for {@link #watch}.
   */
  private void fixVersion() {
    if (!versionKnown) {
      readVersion();
    }
  }

  /** Makes a read and waits for it; the transaction has a read version from now on. */
  <T extends @Nullable Object> T read(Supplier<T> read) {
    checkActive();
    if (!versionChosen.get()) {
      versionChosen.set(true);
    }
    T result = call(read);
    if (!versionKnown) {
      versionKnown = true;
    }
    return result;
  }

  <T extends @Nullable Object> T await(CompletableFuture<T> reply) {
    return cluster.replies().await(reply);
  }

  KeyChecks checks() {
    return cluster.checks();
  }

  // ---- writes

  @Override
  public void set(Key key, byte[] value) {
    checks().writable(key);
    checks().value(key, value.length);
    write(key.size() + value.length, () -> client.set(key.unsafeBytes(), value));
  }

  @Override
  public void clear(Key key) {
    checks().writable(key);
    write(key.size(), () -> client.clear(key.unsafeBytes()));
  }

  /** A clear of nothing reaches the client too: it may be the one that was to be quiet. */
  @Override
  public void clear(KeyRange range) {
    checkBounds(range);
    Runnable clear = () -> client.clear(range.begin().unsafeBytes(), range.end().unsafeBytes());
    if (range.isEmpty()) {
      checkActive();
      perform(clear);
    } else {
      write(sizeOf(range), clear);
    }
  }

  @Override
  public void mutate(MutationType type, Key key, byte[] operand) {
    checks().mutation(type, key, operand);
    write(
        key.size() + operand.length,
        () -> client.mutate(ClientValues.of(type), key.unsafeBytes(), operand));
    if (type.isVersionstamped()) {
      stamped.add(type, key, versionKnown ? readVersion() : 0);
    }
  }

  StampedRanges stamped() {
    return stamped;
  }

  @Override
  public void nextWriteWithoutConflict() {
    checkActive();
    perform(client.options()::setNextWriteNoWriteConflictRange);
  }

  /** Unlike a range, a key may also be that of the metadata version. */
  @Override
  public void addReadConflict(Key key) {
    checks().readable(key);
    checkActive();
    fixVersion();
    perform(() -> client.addReadConflictKey(key.unsafeBytes()));
    hasReadConflicts = true;
  }

  @Override
  public void addReadConflict(KeyRange range) {
    checkBounds(range);
    checkActive();
    fixVersion();
    if (!range.isEmpty()) {
      perform(
          () ->
              client.addReadConflictRange(range.begin().unsafeBytes(), range.end().unsafeBytes()));
      hasReadConflicts = true;
    }
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    checkBounds(range);
    if (range.isEmpty()) {
      checkActive();
    } else {
      write(
          sizeOf(range),
          () ->
              client.addWriteConflictRange(range.begin().unsafeBytes(), range.end().unsafeBytes()));
    }
  }

  private void checkBounds(KeyRange range) {
    checks().bound(range.begin());
    checks().bound(range.end());
  }

  private static int sizeOf(KeyRange range) {
    return range.begin().size() + range.end().size();
  }

  private void write(int bytes, Runnable change) {
    checkActive();
    perform(change);
    // Not before: a commit without any write that the client has taken has no versionstamp.
    hasWrites = true;
    if (bytesWritten.addAndGet(bytes) > sizeLimit) {
      checkSize();
    }
  }

  /** Our count is cheap and rough; before something is refused, the client's own decides. */
  private void checkSize() {
    long size = size();
    if (size > sizeLimit) {
      throw LimitExceededException.transaction(size, sizeLimit);
    }
    bytesWritten.set(size);
  }

  @Override
  public boolean hasWrites() {
    return hasWrites;
  }

  @Override
  public long size() {
    checkActive();
    return call(() -> await(client.getApproximateSize()));
  }

  @Override
  public Watch watch(Key key) {
    checks().watchable(key);
    checkActive();
    fixVersion();
    KeyWatch watch = call(() -> cluster.newWatch(key, client));
    watches.add(watch);
    if (!lifecycle.isActive()) {
      // The end of the transaction may have come before the watch was among its own.
      watch.close();
      checkActive();
    }
    return watch;
  }

  // ---- the end

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return attachments.get(key);
  }

  @Override
  public void beforeCommit(Consumer<? super Transaction> action) {
    checkActive();
    attachments.add(action);
  }

  @Override
  public void prepareCommit() {
    checkActive();
    try {
      attachments.run(this);
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  /**
   * An interrupt before the commit is sent withdraws it; later ones wait for its end, because the
   * client cannot call it back.
   */
  @Override
  public void commit() {
    prepareCommit();
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedOperationException(
          "Interrupted before the commit was sent; nothing was written", null);
    }
    if (hasWrites && hasOwnSizeLimit) {
      // The client merges read conflicts before it looks, and would take more than size() says.
      checkSize();
    }
    if (hasWrites && hasReadConflicts && versionThatWasSet != 0) {
      cluster.checkCommitted(versionThatWasSet);
    }
    cluster.carryOut(this::sendCommit);
  }

  private void sendCommit() {
    lifecycle.startCommit();
    boolean committed = false;
    try {
      position = awaitCommit();
      committed = true;
    } catch (DatabaseException failure) {
      if (failure.maybeCommitted()) {
        // The commit may turn out to have happened. Its watches must not miss changes since then.
        watches.forEach(KeyWatch::fire);
      }
      throw failure;
    } finally {
      lifecycle.endCommit(committed);
      release(committed);
    }
  }

  private Position awaitCommit() {
    try {
      // A stamp has to be asked for before the commit; one that wrote nothing has none.
      CompletableFuture<byte[]> stamp = hasWrites ? client.getVersionstamp() : null;
      cluster.replies().awaitCommit(client.commit());
      return stamp == null ? new Position(-1, null) : positionOf(stamp);
    } catch (FDBException error) {
      throw ClusterErrors.ofCommit(error);
    }
  }

  private Position positionOf(CompletableFuture<byte[]> stamp) {
    byte[] bytes = Arrays.copyOf(cluster.replies().awaitCommit(stamp), Versionstamp.BYTES);
    long version = client.getCommittedVersion();
    cluster.seen(version);
    return new Position(version, Versionstamp.fromBytes(bytes));
  }

  @Override
  public long committedVersion() {
    return committedPosition().version();
  }

  @Override
  public Versionstamp versionstamp() {
    Versionstamp stamp = committedPosition().stamp();
    if (stamp == null) {
      throw UsageException.invalidOperation(
          "The transaction wrote nothing, so its commit has no versionstamp");
    }
    return stamp;
  }

  private Position committedPosition() {
    Position where = position;
    if (where == null) {
      throw UsageException.invalidOperation(
          "The transaction is " + lifecycle + "; only a committed one has a version");
    }
    return where;
  }

  @Override
  public void cancel() {
    close();
  }

  @Override
  public void close() {
    if (lifecycle.giveUp()) {
      release(false);
    }
  }

  private void release(boolean committed) {
    if (!committed) {
      watches.forEach(KeyWatch::close);
    }
    client.close();
    cluster.ended(this);
  }

  // ---- calls of the client

  private void checkActive() {
    lifecycle.checkActive();
  }

  private void perform(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException failure) {
      throw translated(failure);
    }
  }

  private <T extends @Nullable Object> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException failure) {
      throw translated(failure);
    }
  }

  /** The exception for a {@code failure} of the client; above all, the end of the transaction. */
  private RuntimeException translated(RuntimeException failure) {
    if (failure instanceof DatabaseException) {
      return failure;
    }
    checkActive();
    return switch (failure) {
      case FDBException error -> ClusterErrors.of(error);
      case CancellationException cancelled ->
          new InterruptedOperationException("The call was cancelled in the client", cancelled);
      default -> failure;
    };
  }
}
