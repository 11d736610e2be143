package dev.tidemark.foundationdb.internal;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.TransactionOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

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
    throw FdbErrors.noMappedRanges("on snapshots");
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
