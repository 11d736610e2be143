package dev.tidemark.testkit.model;

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
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.spi.TransactionAttachments;
import dev.tidemark.kv.spi.scan.SourceScan;
import dev.tidemark.testkit.internal.StampTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A transaction of the model. All its state is guarded by the lock of its database. */
final class ModelTransaction implements Transaction {
  private final ModelDatabase database;
  private final TransactionOptions options;
  private final long startNanos;
  private final ModelReads reads;
  private final ReadTransaction snapshot;
  private final List<ModelWrite> writes = new ArrayList<>();

  /** The writes that readers conflict with. */
  private final List<ModelWrite> conflicting = new ArrayList<>();

  private final Ranges writeConflicts = new Ranges();
  private final List<ModelWatch> watches = new ArrayList<>();
  private final TransactionAttachments attachments = new TransactionAttachments();
  private @Nullable Versionstamp stamp;
  private boolean nextIsQuiet;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    COMMITTED,
    FAILED,
    CANCELLED,
    CLOSED
  }

  ModelTransaction(ModelDatabase database, TransactionOptions options) {
    this.database = database;
    this.options = options;
    this.startNanos = database.time().nanos();
    this.reads = new ModelReads(database, writes);
    this.snapshot = new ModelSnapshot(this);
  }

  private void locked(Runnable work) {
    locked(
        () -> {
          work.run();
          return true;
        });
  }

  private <T> T locked(Supplier<T> work) {
    database.lock.lock();
    try {
      checkUsable();
      return work.get();
    } finally {
      database.lock.unlock();
    }
  }

  private void checkUsable() {
    switch (state) {
      case OPEN -> {}
      case COMMITTED, FAILED ->
          throw TransactionClosedException.committed("The commit of the transaction was called");
      case CANCELLED, CLOSED ->
          throw TransactionClosedException.cancelled("The transaction is " + state);
    }
    database.checkOpen();
    long taken = database.time().nanos() - startNanos;
    Duration timeout = options.timeout().orElse(null);
    if (timeout != null && taken >= timeout.toNanos()) {
      throw new TransactionTimedOutException("The timeout of " + timeout + " is over", false);
    }
  }

  // ---- reads

  @Override
  public Optional<byte[]> get(Key key) {
    return get(key, true);
  }

  Optional<byte[]> get(Key key, boolean conflicts) {
    checkReadable(key);
    return locked(() -> reads.noting(() -> reads.get(key, conflicts)));
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    return getAll(keys, true);
  }

  Map<Key, byte[]> getAll(Collection<Key> keys, boolean conflicts) {
    keys.forEach(ModelTransaction::checkReadable);
    return locked(() -> reads.noting(() -> reads.getAll(keys, conflicts)));
  }

  @Override
  public Key getKey(KeySelector selector) {
    return getKey(selector, true);
  }

  Key getKey(KeySelector selector, boolean conflicts) {
    checkBound(selector.key());
    return locked(() -> reads.noting(() -> reads.getKey(selector, conflicts)));
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    return scan(begin, end, true);
  }

  Scan scan(KeySelector begin, KeySelector end, boolean conflicts) {
    checkBound(begin.key());
    checkBound(end.key());
    return SourceScan.of(
        request -> locked(() -> reads.noting(() -> reads.fetch(request, conflicts))), begin, end);
  }

  @Override
  public long readVersion() {
    return locked(reads::version);
  }

  @Override
  public void setReadVersion(long version) {
    if (version <= 0) {
      throw UsageException.invalidVersion(version);
    }
    locked(() -> reads.setVersion(version));
  }

  /** What this transaction reads, before its own writes, if that is {@code version}. */
  Optional<NavigableMap<Key, byte[]>> contentsAt(long version) {
    return state == State.OPEN ? reads.contentsAt(version) : Optional.empty();
  }

  @Override
  public ReadTransaction snapshot() {
    return snapshot;
  }

  // ---- writes

  @Override
  public void set(Key key, byte[] value) {
    checkWritable(key);
    checkValue(key, value.length);
    write(new ModelWrite.Put(key, value));
  }

  @Override
  public void clear(Key key) {
    checkWritable(key);
    write(new ModelWrite.Erase(KeyRange.single(key)));
  }

  @Override
  public void clear(KeyRange range) {
    checkBound(range.end());
    if (range.isEmpty()) {
      locked(
          () -> {
            nextIsQuiet = false;
          });
    } else {
      write(new ModelWrite.Erase(range));
    }
  }

  @Override
  public void mutate(MutationType type, Key key, byte[] operand) {
    switch (type) {
      case SET_VERSIONSTAMPED_KEY -> {
        StampTemplate template = StampTemplate.parse(key.toByteArray());
        checkLegal(Key.wrap(template.plain()));
        checkLength(key);
        checkValue(key, operand.length);
        write(new ModelWrite.Stamped(true, template, StampTemplate.plain(operand)));
      }
      case SET_VERSIONSTAMPED_VALUE -> {
        StampTemplate template = StampTemplate.parse(operand);
        if (!key.equals(Key.METADATA_VERSION)) {
          checkWritable(key);
        }
        checkValue(key, operand.length);
        write(new ModelWrite.Stamped(false, StampTemplate.plain(key.toByteArray()), template));
      }
      default -> {
        checkWritable(key);
        checkValue(key, operand.length);
        write(new ModelWrite.Change(type, key, operand));
      }
    }
  }

  private void write(ModelWrite write) {
    locked(
        () -> {
          writes.add(write);
          if (!nextIsQuiet) {
            conflicting.add(write);
          }
          nextIsQuiet = false;
          reads.written(write);
          checkSize();
        });
  }

  @Override
  public void addReadConflict(KeyRange range) {
    checkBound(range.end());
    locked(() -> reads.addConflict(range));
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    checkBound(range.end());
    locked(() -> writeConflicts.add(range));
  }

  @Override
  public void nextWriteWithoutConflict() {
    locked(
        () -> {
          nextIsQuiet = true;
        });
  }

  @Override
  public Watch watch(Key key) {
    checkReadable(key);
    checkLength(key);
    return locked(
        () -> {
          ModelWatch watch = database.newWatch(key, reads.get(key, false).orElse(null));
          watches.add(watch);
          return watch;
        });
  }

  @Override
  public boolean hasWrites() {
    database.lock.lock();
    try {
      return !writes.isEmpty() || !writeConflicts.list().isEmpty();
    } finally {
      database.lock.unlock();
    }
  }

  @Override
  public long size() {
    database.lock.lock();
    try {
      return writes.stream().mapToLong(ModelWrite::size).sum()
          + bytes(reads.conflicts())
          + bytes(writeConflicts);
    } finally {
      database.lock.unlock();
    }
  }

  private static long bytes(Ranges ranges) {
    return ranges.list().stream().mapToLong(r -> r.begin().size() + r.end().size()).sum();
  }

  // ---- the end

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return attachments.get(key);
  }

  @Override
  public void beforeCommit(Consumer<? super Transaction> action) {
    locked(() -> attachments.add(action));
  }

  @Override
  public void prepareCommit() {
    locked(() -> {});
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
    try {
      database.lock.lockInterruptibly();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted before the commit began; nothing was written", interrupt);
    }
    try {
      checkUsable();
      state = State.FAILED;
      reads.checkSucceeded();
      if (hasWrites()) {
        checkSize();
        reads.checkWindow();
        database.checkConflicts(reads.commitVersion(), reads.conflicts());
        stamp = database.commit(writes, conflicting, writeConflicts);
      }
      state = State.COMMITTED;
      watches.forEach(database::activate);
    } catch (DatabaseException failure) {
      watches.forEach(ModelWatch::close);
      throw failure;
    } finally {
      database.lock.unlock();
    }
  }

  @Override
  public long committedVersion() {
    return committedStamp().map(Versionstamp::version).orElse(-1L);
  }

  @Override
  public Versionstamp versionstamp() {
    return committedStamp()
        .orElseThrow(
            () ->
                UsageException.invalidOperation(
                    "The transaction wrote nothing, so it has no versionstamp"));
  }

  private Optional<Versionstamp> committedStamp() {
    database.lock.lock();
    try {
      if (state != State.COMMITTED) {
        throw UsageException.invalidOperation(
            "The transaction is " + state + ", so it has no commit version");
      }
      return Optional.ofNullable(stamp);
    } finally {
      database.lock.unlock();
    }
  }

  @Override
  public void cancel() {
    end(State.CANCELLED);
  }

  @Override
  public void close() {
    end(State.CLOSED);
    database.lock.lock();
    try {
      database.ended(this);
    } finally {
      database.lock.unlock();
    }
  }

  private void end(State how) {
    database.lock.lock();
    try {
      if (state == State.OPEN) {
        state = how;
        watches.forEach(ModelWatch::close);
      }
    } finally {
      database.lock.unlock();
    }
  }

  // ---- checks

  private void checkSize() {
    long limit = options.sizeLimit().orElse(database.limits.transactionBytes());
    if (size() > limit) {
      throw LimitExceededException.transaction(size(), limit);
    }
  }

  private static void checkReadable(Key key) {
    if (key.compareTo(Key.END) >= 0 && !key.equals(Key.METADATA_VERSION)) {
      throw UsageException.keyOutsideLegalRange(key);
    }
  }

  private static void checkBound(Key key) {
    if (key.compareTo(Key.END) > 0) {
      throw UsageException.keyOutsideLegalRange(key);
    }
  }

  private void checkWritable(Key key) {
    checkLegal(key);
    checkLength(key);
  }

  private static void checkLegal(Key key) {
    if (key.compareTo(Key.END) >= 0) {
      throw UsageException.keyOutsideLegalRange(key);
    }
  }

  private void checkLength(Key key) {
    if (key.size() > database.limits.keyBytes()) {
      throw LimitExceededException.key(key, database.limits.keyBytes());
    }
  }

  private void checkValue(Key key, int size) {
    if (size > database.limits.valueBytes()) {
      throw LimitExceededException.value(key, size, database.limits.valueBytes());
    }
  }
}
