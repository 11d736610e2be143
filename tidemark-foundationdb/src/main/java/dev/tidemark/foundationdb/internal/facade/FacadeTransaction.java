package dev.tidemark.foundationdb.internal.facade;

import static java.util.Objects.requireNonNull;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.spi.KeyChecks;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One of our transactions behind fdb-java's interface. */
final class FacadeTransaction extends FacadeReads implements Transaction {
  private static final int NEXT_WRITE_NO_WRITE_CONFLICT_RANGE = 30;
  private static final int READ_YOUR_WRITES_DISABLE = 51;
  private static final long NOT_COMMITTED = -1;

  private final FacadeDatabase database;
  private final Executor executor;
  private final Attempts attempts;
  private final StampPromise stamp = new StampPromise();
  private volatile TransactionSettings settings;
  private volatile @Nullable UnseenWrites unseen;
  private volatile boolean hasRead;
  private volatile boolean wrote;
  private volatile long committedVersion = NOT_COMMITTED;

  /** What the first call that could not tell its failure has failed with. */
  private volatile @Nullable FDBException deferred;

  /** Why the commit was refused, for watches that it ends; absent where there are none. */
  private volatile @Nullable CompletableFuture<Optional<FDBException>> refusal;

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
  dev.tidemark.kv.Database store() {
    active();
    return database.store();
  }

  @Override
  void checkMappedRanges() {
    if (unseen != null) {
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

  private dev.tidemark.kv.Transaction active() {
    checkActive();
    attempts.checkTime(settings);
    FDBException earlier = deferred;
    if (earlier != null) {
      throw FdbErrors.again(earlier);
    }
    dev.tidemark.kv.Transaction tx = begun;
    return tx == null ? firstUse() : tx;
  }

  /**
   * Does what gives no answer. As in fdb-java it does not throw either: the next read and the
   * commit fail instead. What is too large is refused by the commit alone.
   */
  private void deferring(Runnable call) {
    try {
      FdbErrors.translate(call);
    } catch (FDBException failure) {
      if (deferred == null && failure.getCode() != FdbErrors.TRANSACTION_TOO_LARGE) {
        deferred = failure;
      }
    }
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

  @Override
  public void setReadVersion(long version) {
    deferring(() -> active().setReadVersion(version));
  }

  // ---- writes

  private void write(
      int bytes, Consumer<KeyChecks> check, Consumer<dev.tidemark.kv.Transaction> change) {
    try {
      pass(bytes, check, change);
      wrote = true;
    } catch (LimitExceededException tooLarge) {
      // It may be among the writes now, which the commit then refuses.
      wrote = true;
      throw tooLarge;
    }
  }

  /**
   * Has the store's transaction do {@code change}, which it checks by itself; or keeps it until the
   * commit, if {@code check} has nothing against it.
   */
  private void pass(
      int bytes, Consumer<KeyChecks> check, Consumer<dev.tidemark.kv.Transaction> change) {
    dev.tidemark.kv.Transaction active = active();
    UnseenWrites waiting = unseen;
    if (waiting == null) {
      change.accept(active);
    } else {
      check.accept(new KeyChecks(database.store().limits()));
      waiting.add(bytes, change);
    }
  }

  private static Consumer<KeyChecks> boundsOf(KeyRange range) {
    return checks -> {
      checks.bound(range.begin());
      checks.bound(range.end());
    };
  }

  @Override
  public void set(byte[] key, byte[] value) {
    deferring(() -> doSet(key, unseen == null ? value : value.clone()));
  }

  private void doSet(byte[] key, byte[] value) {
    Key name = StoreValues.key(key);
    write(
        key.length + value.length,
        checks -> {
          checks.writable(name);
          checks.value(name, value.length);
        },
        writer -> writer.set(name, value));
  }

  @Override
  public void clear(byte[] key) {
    deferring(() -> doClear(key));
  }

  private void doClear(byte[] key) {
    Key name = StoreValues.key(key);
    if (key.length > database.store().limits().keyBytes()) {
      // No such key has a value. The store is told nothing but that a write has come.
      doClear(key, key);
    } else {
      write(key.length, checks -> checks.writable(name), writer -> writer.clear(name));
    }
  }

  @Override
  public void clear(byte[] begin, byte[] end) {
    deferring(() -> doClear(begin, end));
  }

  private void doClear(byte[] begin, byte[] end) {
    KeyRange range = StoreValues.range(begin, end);
    write(begin.length + end.length, boundsOf(range), writer -> writer.clear(range));
  }

  @Override
  public void clear(Range range) {
    clear(range.begin, range.end);
  }

  @Override
  @SuppressWarnings("deprecation") // layers still call it
  public void clearRangeStartsWith(byte[] prefix) {
    clear(Range.startsWith(prefix));
  }

  @Override
  public void mutate(MutationType type, byte[] key, byte[] operand) {
    deferring(() -> doMutate(type, key, unseen == null ? operand : operand.clone()));
  }

  private void doMutate(MutationType type, byte[] key, byte[] operand) {
    dev.tidemark.kv.MutationType change = StoreValues.mutation(type);
    Key name = change.isVersionstamped() ? Key.of(key) : StoreValues.key(key);
    write(
        key.length + operand.length,
        checks -> checks.mutation(change, name, operand),
        writer -> writer.mutate(change, name, operand));
  }

  @Override
  public void addReadConflictRange(byte[] begin, byte[] end) {
    deferring(() -> active().addReadConflict(StoreValues.range(begin, end)));
  }

  @Override
  public void addReadConflictKey(byte[] key) {
    deferring(() -> active().addReadConflict(StoreValues.key(key)));
  }

  @Override
  public boolean addReadConflictRangeIfNotSnapshot(byte[] begin, byte[] end) {
    addReadConflictRange(begin, end);
    return true;
  }

  @Override
  public boolean addReadConflictKeyIfNotSnapshot(byte[] key) {
    addReadConflictKey(key);
    return true;
  }

  @Override
  public void addWriteConflictRange(byte[] begin, byte[] end) {
    deferring(() -> conflict(StoreValues.range(begin, end)));
  }

  private void conflict(KeyRange range) {
    write(
        range.begin().size() + range.end().size(),
        boundsOf(range),
        writer -> writer.addWriteConflict(range));
  }

  @Override
  public void addWriteConflictKey(byte[] key) {
    deferring(() -> conflict(KeyRange.single(StoreValues.key(key))));
  }

  // ---- commit

  @Override
  public CompletableFuture<Void> commit() {
    if (!wrote) {
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
      UnseenWrites waiting = unseen;
      if (waiting != null) {
        waiting.replay(tx);
      }
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
        endWatches(Optional.of(refused));
      }
      throw failure;
    } finally {
      endWatches(Optional.empty());
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
    return Futures.now(
        () -> {
          UnseenWrites waiting = unseen;
          return active().size() + (waiting == null ? 0 : waiting.bytes());
        });
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
      if (unseen != null) {
        throw new FDBException(
            "Watches need reads that see own writes, which an option has turned off",
            FdbErrors.WATCHES_DISABLED);
      }
      expectWatches();
      return database.watched(
          () ->
              WatchFuture.of(
                  active().watch(StoreValues.key(key)), executor, this::refusalOfTheCommit));
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(FdbErrors.of(failure));
    }
  }

  private synchronized void expectWatches() {
    refusal = refusal == null ? new CompletableFuture<>() : refusal;
  }

  /** Why the commit was refused, if that is what has ended a watch. */
  private Optional<FDBException> refusalOfTheCommit() {
    CompletableFuture<Optional<FDBException>> answer = requireNonNull(refusal);
    return state == State.COMMITTING ? answer.join() : answer.getNow(Optional.empty());
  }

  private void endWatches(Optional<FDBException> refused) {
    CompletableFuture<Optional<FDBException>> waiting = refusal;
    if (waiting != null) {
      waiting.complete(refused);
    }
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

  /** Closes the transaction after {@code failure}; what stands against another attempt, or null. */
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
      endWatches(Optional.empty());
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
      case READ_YOUR_WRITES_DISABLE -> hideOwnWrites();
      case NEXT_WRITE_NO_WRITE_CONFLICT_RANGE ->
          FdbErrors.translate(
              () -> pass(0, checks -> {}, dev.tidemark.kv.Transaction::nextWriteWithoutConflict));
      default -> settings = settings.withTransactionOption(code, value);
    }
  }

  private void hideOwnWrites() {
    if (hasRead || wrote) {
      throw new FDBException(
          "Own writes can be hidden from reads only before the first read and the first write",
          FdbErrors.CLIENT_INVALID_OPERATION);
    }
    unseen = new UnseenWrites();
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
