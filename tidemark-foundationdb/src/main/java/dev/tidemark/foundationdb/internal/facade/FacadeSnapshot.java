package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.TransactionOptions;
import com.apple.foundationdb.async.AsyncIterable;
import dev.tidemark.foundationdb.internal.FdbErrors;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** The reads of a transaction that add no read conflicts. */
final class FacadeSnapshot extends FacadeReads {
  private final FacadeTransaction tx;

  FacadeSnapshot(FacadeTransaction tx) {
    this.tx = tx;
  }

  @Override
  dev.tidemark.kv.ReadTransaction reads() {
    return tx.snapshotReads();
  }

  @Override
  dev.tidemark.kv.Database store() {
    return tx.store();
  }

  @Override
  void checkMappedRanges() {
    throw FdbErrors.noMappedRanges();
  }

  @Override
  <T> CompletableFuture<T> answered(Supplier<T> read) {
    return tx.answered(read);
  }

  /** As in fdb-java, which layers rely on to find out. */
  @Override
  public AsyncIterable<MappedKeyValue> getMappedRange(
      KeySelector begin,
      KeySelector end,
      byte[] mapper,
      int limit,
      boolean reverse,
      StreamingMode mode) {
    throw new UnsupportedOperationException(
        "Mapped ranges are read with conflicts only; call getMappedRange of the transaction");
  }

  @Override
  void remove(byte[] key) {
    tx.remove(key);
  }

  @Override
  public boolean isSnapshot() {
    return true;
  }

  @Override
  public ReadTransaction snapshot() {
    return this;
  }

  @Override
  public CompletableFuture<Long> getReadVersion() {
    return tx.getReadVersion();
  }

  @Override
  public void setReadVersion(long version) {
    tx.setReadVersion(version);
  }

  @Override
  public boolean addReadConflictRangeIfNotSnapshot(byte[] begin, byte[] end) {
    return false;
  }

  @Override
  public boolean addReadConflictKeyIfNotSnapshot(byte[] key) {
    return false;
  }

  @Override
  public TransactionOptions options() {
    return tx.options();
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

  @Override
  public Executor getExecutor() {
    return tx.getExecutor();
  }
}
