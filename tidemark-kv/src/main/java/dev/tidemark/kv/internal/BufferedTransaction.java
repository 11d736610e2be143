package dev.tidemark.kv.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that keeps its writes in memory until commit: everything that engines have in
 * common. An engine adds reads of a committed version ({@link BaseReads}), the commit and watches.
 */
public abstract class BufferedTransaction implements Transaction {
  /** Rows that a selector with a large offset counts at a time. */
  private static final int SELECTOR_PORTION = 1_000;

  private final Limits limits;
  private final KeyChecks checks;
  private final TimeSource time;
  private final TransactionOptions options;
  private final long sizeLimit;
  private final long startNanos;
  private final ReentrantLock lock = new ReentrantLock();

  // The fields below are guarded by lock.
  private final WriteSet writes;
  private final ReadSet reads = new ReadSet();
  private final List<KeyRange> writeConflicts = new ArrayList<>();
  private final List<KeyWatch> watches = new ArrayList<>();
  private long writeConflictBytes;
  private @Nullable BaseReads base;

  /** The version that is read and checked for conflicts; -1 until somebody asks for it. */
  private long readVersion = -1;

  private Commit.@Nullable Position position;
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
    if (options.sizeLimit() > limits.transactionBytes()) {
      throw UsageException.invalidOption(
          "sizeLimit is %,d; this store takes transactions of at most %,d bytes"
              .formatted(options.sizeLimit(), limits.transactionBytes()));
    }
    this.options = options;
    this.limits = limits;
    this.checks = new KeyChecks(limits);
    this.time = time;
    this.sizeLimit = options.sizeLimit() == 0 ? limits.transactionBytes() : options.sizeLimit();
    this.startNanos = options.timeout().isZero() ? 0 : time.nanos();
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

  /** Carries out a commit that writes something. Called at most once. */
  protected abstract Commit.Position commit(Commit commit);

  /** Makes a watch that counts among the database's watches. */
  protected abstract KeyWatch newWatch(Key key, byte @Nullable [] seen);

  /** Has {@code watch} looked at on every commit from now on, and once now. */
  protected abstract void activate(KeyWatch watch);

  /** Throws if the database is closed. */
  protected abstract void checkDatabaseOpen();

  /** Told when the transaction is closed. */
  protected void closed() {}

  // ---- reads

  @Override
  public Optional<byte[]> get(Key key) {
    return get(key, true);
  }

  final Optional<byte[]> get(Key key, boolean conflicts) {
    checks.readable(key);
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
      Scan.Portion portion =
          begin.compareTo(end) < 0
              ? scan(begin, end, portionOf(steps), Integer.MAX_VALUE, reverse, conflicts)
              : new Scan.Portion(List.of(), false);
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
    return Scan.of(request -> fetch(request, conflicts), begin, end);
  }

  private Scan.Portion fetch(Scan.Request request, boolean conflicts) {
    Key begin = bound(request.begin(), conflicts);
    Key end = bound(request.end(), conflicts);
    return begin.compareTo(end) >= 0
        ? new Scan.Portion(List.of(), false)
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

  private Scan.Portion scan(
      Key begin, Key end, int rows, int bytes, boolean reverse, boolean conflicts) {
    BaseReads below;
    lock.lock();
    try {
      checkActive();
      below = openedBase();
      if (!writes.leavesUntouched(begin, end)) {
        Scan.Portion portion =
            new MergedScan(writes, below, limits, begin, end, reverse).read(rows, bytes);
        addScanned(begin, end, portion, reverse, conflicts);
        return portion;
      }
    } finally {
      lock.unlock();
    }
    Scan.Portion portion = readBelow(() -> below.scan(begin, end, rows, bytes, reverse));
    lock.lock();
    try {
      checkActive();
      addScanned(begin, end, portion, reverse, conflicts);
    } finally {
      lock.unlock();
    }
    return portion;
  }

  private void addScanned(
      Key begin, Key end, Scan.Portion portion, boolean reverse, boolean conflicts) {
    if (!conflicts) {
      return;
    }
    if (!portion.more()) {
      addRead(begin, end);
    } else if (reverse) {
      addRead(portion.rows().getLast().key(), end);
    } else {
      addRead(begin, portion.rows().getLast().key().next());
    }
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
   * The version from which conflicts are checked; where none was read yet, a recent one serves as
   * well as the latest and costs no request.
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

  private BaseReads openedBase() {
    BaseReads opened = base;
    if (opened == null) {
      opened = readVersion < 0 ? openBase() : openBase(readVersion);
      base = opened;
    }
    return opened;
  }

  /** -1 before the first read. An engine over a network may have to wait for its version. */
  private long knownReadVersion() {
    if (readVersion < 0 && base != null) {
      readVersion = base.version();
    }
    return readVersion;
  }

  /** A version that was set need not be pinned for conflicts to be checked from it. */
  private void fixReadVersion() {
    if (readVersion < 0) {
      openedBase();
    }
  }

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
      StampTemplate template = StampTemplate.parse(key.unsafeBytes());
      checks.writable(template.highest());
      checks.value(key, operand.length);
      write(() -> writes.setStamped(template, operand.clone(), Math.max(0, knownReadVersion())));
      return;
    }
    if (type == MutationType.SET_VERSIONSTAMPED_VALUE) {
      checks.value(key, StampTemplate.parse(operand).size());
    } else {
      checks.value(key, operand.length);
    }
    if (!(key.equals(Key.METADATA_VERSION) && type == MutationType.SET_VERSIONSTAMPED_VALUE)) {
      checks.writable(key);
    }
    write(() -> writes.mutate(type, key, operand.clone()));
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
      checkSize(writes.size() + writeConflictBytes);
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
  public void commit() {
    Commit commit;
    lock.lock();
    try {
      checkActive();
      boolean writesSomething = hasWrites();
      if (writesSomething) {
        reads.tidy();
        checkSize(size());
      }
      commit = writesSomething ? toCommit() : null;
      state = State.COMMITTING;
    } finally {
      lock.unlock();
    }
    State end = State.FAILED;
    Commit.Position where = null;
    try {
      where = commit == null ? null : commit(commit);
      end = State.COMMITTED;
    } finally {
      finish(end, where);
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
        writes.quiet());
  }

  private void finish(State end, Commit.@Nullable Position where) {
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
    made.forEach(end == State.COMMITTED ? this::activate : KeyWatch::close);
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

  private void closeBase() {
    if (base != null) {
      base.close();
      base = null;
    }
  }

  // ---- checks

  private void checkActive() {
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
          "The transaction has taken longer than its timeout of " + options.timeout(), false);
    }
  }

  /** Nanoseconds until the timeout; {@link Long#MAX_VALUE} without one. */
  protected final long nanosLeft() {
    return options.timeout().isZero()
        ? Long.MAX_VALUE
        : options.timeout().toNanos() - (time.nanos() - startNanos);
  }

  private void checkSize(long bytes) {
    if (bytes > sizeLimit) {
      throw LimitExceededException.transaction(bytes, sizeLimit);
    }
  }
}
