package dev.tidemark.kv.spi;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.StampTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that keeps its writes in memory until commit: everything that engines have in
 * common. An engine adds reads of a committed version ({@link BaseReads}), the commit and watches.
 * An engine that keeps the ids of commits extends {@link IdentifiedTransaction}, and one that
 * commits without a waiting thread {@link PromptTransaction}.
 */
public abstract class BufferedTransaction extends OverlaidReads {
  private final TimeSource time;
  private final @Nullable Duration timeout;
  private final long sizeLimit;
  private final long startNanos;
  private final TransactionAttachments attachments = new TransactionAttachments();

  // The fields below are guarded by lock.
  private final List<KeyRange> writeConflicts = new ArrayList<>();
  private final List<KeyWatch> watches = new ArrayList<>();
  private long writeConflictBytes;

  /** How large a refused write made the transaction; 0 without one. */
  private long refusedBytes;

  private Commit.@Nullable Position position;

  /** Whether the commit ended without its result. */
  private boolean inDoubt;

  private State state = State.ACTIVE;

  private enum State {
    ACTIVE,
    COMMITTING,
    COMMITTED,
    FAILED,
    CANCELLED,
    CLOSED
  }

  /** A transaction within {@code limits}. */
  protected BufferedTransaction(TransactionOptions options, Limits limits, TimeSource time) {
    super(limits);
    long limit = options.sizeLimit().orElse(limits.transactionBytes());
    if (limit > limits.transactionBytes()) {
      throw UsageException.invalidOption(
          "sizeLimit is %,d; this store takes transactions of at most %,d bytes"
              .formatted(limit, limits.transactionBytes()));
    }
    this.timeout = options.timeout().orElse(null);
    this.time = time;
    this.sizeLimit = limit;
    this.startNanos = timeout == null ? 0 : time.nanos();
  }

  /** Carries out a commit that writes something. Called at most once. */
  protected abstract Commit.Position commit(Commit commit);

  /** The id that the commit carries; null for none. Called under the lock. */
  @Nullable CommitId commitId() {
    return null;
  }

  /** Makes a watch that counts among the database's watches. */
  protected abstract KeyWatch newWatch(Key key, byte @Nullable [] seen);

  /** Checks {@code watch} at every commit from now on, and once now. */
  protected abstract void activate(KeyWatch watch);

  /** Throws if the database is closed. */
  protected abstract void checkDatabaseOpen();

  /** Called when the transaction is closed. */
  protected void closed() {}

  // ---- writes

  @Override
  public void set(Key key, byte[] value) {
    checks.writable(key);
    checks.value(key, value.length);
    write(() -> writes.set(key, value.clone()));
  }

  @Override
  public void clear(Key key) {
    checks.writable(key);
    write(() -> writes.clear(key));
  }

  @Override
  public void clear(KeyRange range) {
    checks.bound(range.begin());
    checks.bound(range.end());
    write(() -> writes.clear(range));
  }

  @Override
  public void mutate(MutationType type, Key key, byte[] operand) {
    if (type == MutationType.SET_VERSIONSTAMPED_KEY) {
      StampTemplate template = checks.stamped(key, operand);
      write(() -> writes.setStamped(template, operand.clone(), Math.max(0, knownReadVersion())));
    } else {
      checks.mutation(type, key, operand);
      write(() -> writes.mutate(type, key, operand.clone()));
    }
  }

  @Override
  public void addReadConflict(Key key) {
    checks.readable(key);
    write(
        () -> {
          fixReadVersion();
          reads.add(key);
        });
  }

  @Override
  public void addReadConflict(KeyRange range) {
    checks.bound(range.begin());
    checks.bound(range.end());
    write(
        () -> {
          fixReadVersion();
          reads.add(range.begin(), range.end());
        });
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    checks.bound(range.begin());
    checks.bound(range.end());
    write(
        () -> {
          if (!range.isEmpty()) {
            writeConflicts.add(range);
            writeConflictBytes += range.begin().size() + range.end().size();
          }
        });
  }

  @Override
  public void nextWriteWithoutConflict() {
    write(writes::nextWithoutConflict);
  }

  private void write(Runnable change) {
    lock.lock();
    try {
      checkActive();
      change.run();
      long size = writes.size() + writeConflictBytes;
      if (size > sizeLimit) {
        // The refused write is among the writes now, so they must not be committed.
        refusedBytes = size;
      }
      checkSize(size);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean hasWrites() {
    lock.lock();
    try {
      return !writes.isEmpty() || !writeConflicts.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long size() {
    lock.lock();
    try {
      return writes.size() + reads.size() + writeConflictBytes;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Watch watch(Key key) {
    checks.watchable(key);
    byte[] seen = get(key, false).orElse(null);
    lock.lock();
    try {
      checkActive();
      KeyWatch watch = newWatch(key, seen);
      watches.add(watch);
      return watch;
    } finally {
      lock.unlock();
    }
  }

  // ---- the end

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return attachments.get(key);
  }

  @Override
  public void beforeCommit(Consumer<? super Transaction> action) {
    lock.lock();
    try {
      checkActive();
      attachments.add(action);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void prepareCommit() {
    lock.lock();
    try {
      checkActive();
    } finally {
      lock.unlock();
    }
    try {
      attachments.run(this);
    } catch (RuntimeException | Error failure) {
      end(State.FAILED);
      throw failure;
    }
  }

  @Override
  public void commit() {
    prepareCommit();
    Commit commit = beginCommit();
    State end = State.FAILED;
    Consumer<KeyWatch> watchEnd = KeyWatch::close;
    Commit.Position where = null;
    try {
      where = commit == null ? null : commit(commit);
      end = State.COMMITTED;
      watchEnd = this::activate;
    } catch (DatabaseException failure) {
      if (failure.maybeCommitted()) {
        // The commit may turn out to have happened: its watches fire rather than die.
        watchEnd = KeyWatch::fire;
        doubt();
      }
      throw failure;
    } finally {
      finish(end, where, watchEnd);
    }
  }

  private void doubt() {
    lock.lock();
    try {
      inDoubt = true;
    } finally {
      lock.unlock();
    }
  }

  final boolean hasWatches() {
    lock.lock();
    try {
      return !watches.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The commit begun by {@link #beginCommit} is at {@code where}; the watches are closed. */
  final void finishCommitted(Commit.Position where) {
    finish(State.COMMITTED, where, KeyWatch::close);
  }

  /** The commit begun by {@link #beginCommit} failed; the watches are closed. */
  final void finishFailed() {
    finish(State.FAILED, null, KeyWatch::close);
  }

  /** Takes no more writes; null if there were none. */
  final @Nullable Commit beginCommit() {
    lock.lock();
    try {
      checkActive();
      boolean writesSomething = hasWrites();
      checkReadsSucceeded();
      if (writesSomething) {
        reads.tidy();
        checkSize(Math.max(refusedBytes, size()));
      }
      Commit commit = writesSomething ? toCommit() : null;
      state = State.COMMITTING;
      return commit;
    } finally {
      lock.unlock();
    }
  }

  private Commit toCommit() {
    return new Commit(
        knownReadVersion(),
        reads.keys(),
        reads.ranges(),
        writes.clears(),
        writes.writes(),
        writes.stampedSets(),
        List.copyOf(writeConflicts),
        writes.quiet(),
        commitId());
  }

  private void finish(State end, Commit.@Nullable Position where, Consumer<KeyWatch> watchEnd) {
    List<KeyWatch> made;
    lock.lock();
    try {
      state = state == State.COMMITTING ? end : state;
      position = where;
      made = List.copyOf(watches);
      watches.clear();
      closeBase();
    } finally {
      lock.unlock();
    }
    made.forEach(watchEnd);
  }

  @Override
  public long committedVersion() {
    Commit.Position where = committedPosition();
    return where == null ? -1 : where.version();
  }

  @Override
  public Versionstamp versionstamp() {
    Commit.Position where = committedPosition();
    if (where == null) {
      throw UsageException.invalidOperation(
          "The transaction wrote nothing, so its commit has no versionstamp");
    }
    return Versionstamp.of(where.version(), where.batch(), 0);
  }

  private Commit.@Nullable Position committedPosition() {
    lock.lock();
    try {
      if (inDoubt) {
        throw UsageException.invalidOperation(
            "The reply to the commit was lost, so its place among the commits is not known, even"
                + " where it has turned out to have happened. Read what it wrote to find out");
      }
      if (state != State.COMMITTED && position == null) {
        throw UsageException.invalidOperation(
            "The transaction is " + state + "; only a committed one has a version");
      }
      return position;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void cancel() {
    end(State.CANCELLED);
  }

  @Override
  public void close() {
    end(State.CLOSED);
    closed();
  }

  private void end(State how) {
    List<KeyWatch> abandoned;
    lock.lock();
    try {
      if (state == State.ACTIVE || (state == State.CANCELLED && how == State.CLOSED)) {
        state = how;
      }
      boolean committing = state == State.COMMITTING;
      abandoned = committing ? List.of() : List.copyOf(watches);
      if (!committing) {
        watches.clear();
        closeBase();
      }
    } finally {
      lock.unlock();
    }
    abandoned.forEach(KeyWatch::close);
  }

  // ---- checks

  @Override
  final void checkActive() {
    switch (state) {
      case ACTIVE -> {}
      case COMMITTING, COMMITTED ->
          throw TransactionClosedException.committed(
              "The transaction is committed or being committed; begin a new one for further work");
      case FAILED ->
          throw TransactionClosedException.committed(
              "The commit of this transaction failed; begin a new one to try again");
      case CANCELLED ->
          throw TransactionClosedException.cancelled(
              "The transaction is cancelled; begin a new one");
      case CLOSED ->
          throw TransactionClosedException.cancelled("The transaction is closed; begin a new one");
    }
    checkDatabaseOpen();
    if (nanosLeft() <= 0) {
      throw new TransactionTimedOutException(
          "The transaction has taken longer than its timeout of " + timeout, false);
    }
  }

  /** Nanoseconds until the timeout; {@link Long#MAX_VALUE} without one. */
  protected final long nanosLeft() {
    return timeout == null ? Long.MAX_VALUE : timeout.toNanos() - (time.nanos() - startNanos);
  }

  private void checkSize(long bytes) {
    if (bytes > sizeLimit) {
      throw LimitExceededException.transaction(bytes, sizeLimit);
    }
  }
}
