package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.spi.KeyChecks;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The writing half of a transaction behind fdb-java's interface. */
abstract class FacadeWrites extends FacadeReads implements Transaction {
  private volatile @Nullable UnseenWrites unseen;
  private volatile boolean wrote;

  /** The failure of the first call that has no way to report one. */
  private volatile @Nullable FDBException deferred;

  /** The store's transaction; throws if this one takes no more reads and writes. */
  abstract dev.tidemark.kv.Transaction active();

  abstract Limits storeLimits();

  /** Throws the failure of an earlier call that had no way to report it. */
  final void checkNothingDeferred() {
    FDBException earlier = deferred;
    if (earlier != null) {
      throw FdbErrors.again(earlier);
    }
  }

  final boolean hasWritten() {
    return wrote;
  }

  /** Whether reads do not see what the transaction has written. */
  final boolean hidesOwnWrites() {
    return unseen != null;
  }

  /** Makes the writes that were kept for the commit. */
  final void replayUnseen(dev.tidemark.kv.Transaction tx) {
    UnseenWrites waiting = unseen;
    if (waiting != null) {
      waiting.replay(tx);
    }
  }

  /** The bytes of the writes that are kept for the commit. */
  final long unseenBytes() {
    UnseenWrites waiting = unseen;
    return waiting == null ? 0 : waiting.bytes();
  }

  /** Keeps writes from the store's transaction until the commit, so that reads do not see them. */
  final void hideOwnWrites(boolean hasRead) {
    if (hasRead || wrote) {
      throw new FDBException(
          "Own writes can be hidden from reads only before the first read and the first write",
          FdbErrors.CLIENT_INVALID_OPERATION);
    }
    unseen = new UnseenWrites();
  }

  /**
   * Makes a call that returns nothing. As in fdb-java it does not throw: the next read and the
   * commit fail instead. A transaction that is too large is refused by the commit alone.
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

  @Override
  public void setReadVersion(long version) {
    deferring(() -> active().setReadVersion(version));
  }

  /** The next write conflicts with no reader. */
  final void nextWriteWithoutConflict() {
    pass(0, checks -> {}, dev.tidemark.kv.Transaction::nextWriteWithoutConflict);
  }

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
   * Passes {@code change} to the store's transaction, which checks it itself; or keeps it until the
   * commit, after {@code check} has accepted it.
   */
  private void pass(
      int bytes, Consumer<KeyChecks> check, Consumer<dev.tidemark.kv.Transaction> change) {
    dev.tidemark.kv.Transaction active = active();
    UnseenWrites waiting = unseen;
    if (waiting == null) {
      change.accept(active);
    } else {
      check.accept(new KeyChecks(storeLimits()));
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
    if (key.length > storeLimits().keyBytes()) {
      // No such key has a value. The store only learns that there is a write.
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
}
