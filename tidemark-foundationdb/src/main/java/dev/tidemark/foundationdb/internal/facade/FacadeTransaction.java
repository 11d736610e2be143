package dev.tidemark.foundationdb.internal.facade;

import static java.util.Objects.requireNonNull;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Versionstamp;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One of our transactions behind fdb-java's interface. */
final class FacadeTransaction extends FacadeWrites {
  private static final int NEXT_WRITE_NO_WRITE_CONFLICT_RANGE = 30;
  private static final int READ_YOUR_WRITES_DISABLE = 51;
  private static final long NOT_COMMITTED = -1;

  private final FacadeDatabase database;
  private final Executor executor;
  private final Attempts attempts;
  private final StampPromise stamp = new StampPromise();
  private volatile TransactionSettings settings;
  private volatile boolean hasRead;
  private volatile long committedVersion = NOT_COMMITTED;

  /** Why the commit was refused, for watches that it ends. */
  private final WatchRefusal refusal = new WatchRefusal();

  /** What {@link #getReadVersion} has answered; negative before. */
  private volatile long readVersion = -1;

  /** Changed under the monitor of this. */
  private volatile State state = State.ACTIVE;

  /** Changed under the monitor of this. */
  private volatile dev.tidemark.kv.@Nullable Transaction begun;

  /** Guarded by this. */
  private dev.tidemark.kv.@Nullable Transaction unwritten;

  private enum State {
    ACTIVE,
    COMMITTING,
    COMMITTED,
    FAILED,
    CANCELLED,
    CLOSED;

    boolean isAfterCommitCall() {
      return this == COMMITTING || this == COMMITTED || this == FAILED;
    }
  }

  FacadeTransaction(
      FacadeDatabase database, Executor executor, TransactionSettings settings, Attempts attempts) {
    this.database = database;
    this.executor = executor;
    this.settings = settings;
    this.attempts = attempts;
  }

  // ---- reads

  @Override
  dev.tidemark.kv.ReadTransaction reads() {
    dev.tidemark.kv.Transaction active = active();
    noteRead();
    return active;
  }

  private void noteRead() {
    if (!hasRead) {
      hasRead = true;
    }
  }

  @Override
  public CompletableFuture<Long> getReadVersion() {
    return answered(
        () -> {
          if (readVersion >= 0 && state.isAfterCommitCall()) {
            return readVersion;
          }
          readVersion = active().readVersion();
          return readVersion;
        });
  }

  @Override
  <T> CompletableFuture<T> answered(Supplier<T> read) {
    return database.answersApart() ? Futures.apart(executor, read) : Futures.now(read);
  }

  @Override
  Limits storeLimits() {
    return database.store().limits();
  }

  @Override
  dev.tidemark.kv.Database store() {
    active();
    return database.store();
  }

  @Override
  void checkMappedRanges() {
    if (hidesOwnWrites()) {
      throw FdbErrors.noMappedRanges();
    }
  }

  @Override
  void remove(byte[] key) {
    clear(key);
  }

  /** Where the snapshot view reads. */
  dev.tidemark.kv.ReadTransaction snapshotReads() {
    dev.tidemark.kv.Transaction active = active();
    noteRead();
    // Though nothing is written yet: an iteration that begins now reads on after later writes.
    return settings.snapshotOwnWrites() <= 0 ? unwritten().snapshot() : active.snapshot();
  }

  /** A second transaction of the same version, which has written nothing. */
  private synchronized dev.tidemark.kv.Transaction unwritten() {
    dev.tidemark.kv.Transaction active = active();
    dev.tidemark.kv.Transaction second = unwritten;
    if (second == null) {
      // First of all, because it may fail, and a second transaction must not go without it.
      long version = active.readVersion();
      second = beginInStore();
      unwritten = second;
      second.setReadVersion(version);
    }
    return second;
  }

  @Override
  dev.tidemark.kv.Transaction active() {
    checkActive();
    attempts.checkTime(settings);
    checkNothingDeferred();
    dev.tidemark.kv.Transaction tx = begun;
    return tx == null ? firstUse() : tx;
  }

  private void checkActive() {
    switch (state) {
      case ACTIVE -> {}
      case COMMITTING, COMMITTED ->
          throw new FDBException(
              "The transaction is committed or being committed; create a new one",
              FdbErrors.USED_DURING_COMMIT);
      case FAILED ->
          throw new FDBException(
              "The commit of this transaction failed; go on with what onError gives, or create a"
                  + " new one",
              FdbErrors.USED_DURING_COMMIT);
      case CANCELLED, CLOSED -> throw cancelled();
    }
  }

  /** The store's transaction begins as late as this, so that it knows the timeout. */
  private synchronized dev.tidemark.kv.Transaction firstUse() {
    checkActive();
    dev.tidemark.kv.Transaction tx = begun;
    if (tx == null) {
      tx = beginInStore();
      begun = tx;
    }
    return tx;
  }

  private dev.tidemark.kv.Transaction beginInStore() {
    try {
      return database.store().begin(attempts.storeOptions(settings));
    } catch (DatabaseException failure) {
      throw FdbErrors.of(failure);
    }
  }

  private FDBException cancelled() {
    return new FDBException(
        state == State.CLOSED
            ? "The transaction is closed; create a new one, or go on with what onError gave"
            : "The transaction is cancelled; create a new one",
        FdbErrors.TRANSACTION_CANCELLED);
  }

  @Override
  public boolean isSnapshot() {
    return false;
  }

  @Override
  public ReadTransaction snapshot() {
    return new FacadeSnapshot(this);
  }

  // ---- commit

  @Override
  public CompletableFuture<Void> commit() {
    if (!hasWritten()) {
      return Futures.now(this::commitNow);
    }
    try {
      startCommit();
    } catch (FDBException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    return Futures.later(executor, this::finishCommit);
  }

  /** Commits in the calling thread. */
  @Nullable Void commitNow() {
    startCommit();
    return finishCommit();
  }

  /** From here on the transaction takes no more reads and writes. */
  private synchronized void startCommit() {
    active();
    state = State.COMMITTING;
  }

  private @Nullable Void finishCommit() {
    dev.tidemark.kv.Transaction tx = requireNonNull(begun);
    State end = State.FAILED;
    try {
      replayUnseen(tx);
      checkSize(tx);
      tx.commit();
      committedVersion = tx.committedVersion();
      end = State.COMMITTED;
    } catch (RuntimeException failure) {
      stamp.keep(
          executor,
          () -> {
            throw failure;
          });
      if (FdbErrors.of(failure) instanceof FDBException refused) {
        refusal.tell(Optional.of(refused));
      }
      throw failure;
    } finally {
      refusal.tell(Optional.empty());
      leaveCommit(tx, end);
    }
    stamp.keep(executor, () -> versionstamp(tx));
    return null;
  }

  /** Does what a close during the commit has left. */
  private void leaveCommit(dev.tidemark.kv.Transaction tx, State end) {
    synchronized (this) {
      if (state == State.COMMITTING) {
        state = end;
        return;
      }
    }
    tx.close();
  }

  private void checkSize(dev.tidemark.kv.Transaction tx) {
    long limit = settings.sizeLimit();
    if (limit > 0 && tx.size() > limit) {
      throw new FDBException(
          "The transaction has %,d bytes; its size limit is %,d".formatted(tx.size(), limit),
          FdbErrors.TRANSACTION_TOO_LARGE);
    }
  }

  @Override
  public Long getCommittedVersion() {
    return committedVersion;
  }

  @Override
  public CompletableFuture<Long> getApproximateSize() {
    return Futures.now(() -> active().size() + unseenBytes());
  }

  @Override
  public CompletableFuture<byte[]> getVersionstamp() {
    try {
      active();
      return stamp.ask();
    } catch (FDBException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private byte[] versionstamp(dev.tidemark.kv.Transaction tx) {
    if (committedVersion == NOT_COMMITTED) {
      throw new FDBException(
          "The transaction wrote nothing, so its commit has no versionstamp",
          FdbErrors.NO_COMMIT_VERSION);
    }
    return Arrays.copyOf(tx.versionstamp().toByteArray(), Versionstamp.COMMIT_BYTES);
  }

  @Override
  public CompletableFuture<Void> watch(byte[] key) {
    try {
      if (hidesOwnWrites()) {
        throw new FDBException(
            "Watches need reads that see own writes, which an option has turned off",
            FdbErrors.WATCHES_DISABLED);
      }
      refusal.expectWatches();
      return database.watched(
          () ->
              WatchFuture.of(
                  active().watch(StoreValues.key(key)), executor, this::refusalOfTheCommit));
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(FdbErrors.of(failure));
    }
  }

  private Optional<FDBException> refusalOfTheCommit() {
    return refusal.of(state == State.COMMITTING);
  }

  // ---- the end

  @Override
  public CompletableFuture<Transaction> onError(Throwable error) {
    Throwable failure = FdbErrors.unwrap(error);
    if (!(failure instanceof FDBException known)) {
      return CompletableFuture.failedFuture(failure);
    }
    FDBException end = giveUp(known);
    return end == null
        ? Futures.later(executor, () -> next(known))
        : CompletableFuture.failedFuture(end);
  }

  /**
   * The transaction for another attempt, after a pause.
   *
   * @throws CompletionException if there should be none, around the reason
   */
  FacadeTransaction retry(Throwable error) {
    Throwable failure = FdbErrors.unwrap(FdbErrors.of(error));
    if (!(failure instanceof FDBException known)) {
      close();
      throw new CompletionException(failure);
    }
    FDBException end = giveUp(known);
    if (end != null) {
      throw new CompletionException(end);
    }
    try {
      return next(known);
    } catch (FDBException late) {
      throw new CompletionException(late);
    }
  }

  /**
   * Closes the transaction after {@code failure}; returns what forbids another attempt, or null.
   */
  private @Nullable FDBException giveUp(FDBException failure) {
    boolean ended = state == State.CANCELLED || state == State.CLOSED;
    FDBException end = ended ? cancelled() : FdbErrors.failure(failure);
    close();
    return !ended && attempts.mayGoOn(failure, settings) ? null : end;
  }

  private FacadeTransaction next(FDBException failure) {
    attempts.pause(failure, settings);
    return database.begin(
        executor, settings.forNextAttempt(database.settings()), attempts.afterFailure());
  }

  @Override
  public void cancel() {
    end(State.CANCELLED);
    dev.tidemark.kv.Transaction tx = begun;
    if (tx != null) {
      tx.cancel();
    }
  }

  /** A commit on its way goes on: layers close a transaction whose commit they have not awaited. */
  @Override
  public void close() {
    State before = end(State.CLOSED);
    dev.tidemark.kv.Transaction tx = begun;
    if (tx != null && before != State.COMMITTING && before != State.CLOSED) {
      tx.close();
    }
  }

  /** Ends the transaction, unless it has ended before, and answers how it was then. */
  private State end(State how) {
    State before;
    dev.tidemark.kv.Transaction second;
    synchronized (this) {
      before = state;
      if (how == State.CLOSED || before == State.ACTIVE) {
        state = how;
      }
      second = unwritten;
      unwritten = null;
    }
    if (before == State.ACTIVE) {
      stamp.keep(
          executor,
          () -> {
            throw cancelled();
          });
    }
    if (before != State.COMMITTING) {
      refusal.tell(Optional.empty());
    }
    if (second != null) {
      second.close();
    }
    return before;
  }

  // ---- the rest

  @Override
  public TransactionOptions options() {
    return new TransactionOptions(this::setOption);
  }

  private void setOption(int code, byte @Nullable [] value) {
    switch (code) {
      case READ_YOUR_WRITES_DISABLE -> hideOwnWrites(hasRead);
      case NEXT_WRITE_NO_WRITE_CONFLICT_RANGE ->
          FdbErrors.translate(this::nextWriteWithoutConflict);
      default -> settings = settings.withTransactionOption(code, value);
    }
  }

  @Override
  public Database getDatabase() {
    return database;
  }

  @Override
  public Executor getExecutor() {
    return executor;
  }

  @Override
  public <T> T run(Function<? super Transaction, T> body) {
    return body.apply(this);
  }

  @Override
  public <T> CompletableFuture<T> runAsync(
      Function<? super Transaction, ? extends CompletableFuture<T>> body) {
    return Futures.started(this, body);
  }

  @Override
  public <T> T read(Function<? super ReadTransaction, T> body) {
    return body.apply(this);
  }

  @Override
  public <T> CompletableFuture<T> readAsync(
      Function<? super ReadTransaction, ? extends CompletableFuture<T>> body) {
    return Futures.started(this, body);
  }
}
