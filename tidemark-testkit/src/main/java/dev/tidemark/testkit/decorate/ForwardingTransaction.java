package dev.tidemark.testkit.decorate;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A transaction that passes every call on. Decorators override the calls that they change. */
public abstract class ForwardingTransaction implements Transaction {
  /** The transaction that is decorated. */
  protected final Transaction delegate;

  /** Decorates {@code delegate}. */
  protected ForwardingTransaction(Transaction delegate) {
    this.delegate = delegate;
  }

  @Override
  public Optional<byte[]> get(Key key) {
    return delegate.get(key);
  }

  @Override
  public Map<Key, byte[]> getAll(Collection<Key> keys) {
    return delegate.getAll(keys);
  }

  @Override
  public Key getKey(KeySelector selector) {
    return delegate.getKey(selector);
  }

  @Override
  public Scan scan(KeyRange range) {
    return delegate.scan(range);
  }

  @Override
  public Scan scan(KeySelector begin, KeySelector end) {
    return delegate.scan(begin, end);
  }

  @Override
  public long readVersion() {
    return delegate.readVersion();
  }

  @Override
  public void setReadVersion(long version) {
    delegate.setReadVersion(version);
  }

  @Override
  public ReadTransaction snapshot() {
    return delegate.snapshot();
  }

  @Override
  public void set(Key key, byte[] value) {
    delegate.set(key, value);
  }

  @Override
  public void clear(Key key) {
    delegate.clear(key);
  }

  @Override
  public void clear(KeyRange range) {
    delegate.clear(range);
  }

  @Override
  public void mutate(MutationType type, Key key, byte[] operand) {
    delegate.mutate(type, key, operand);
  }

  @Override
  public void addReadConflict(Key key) {
    delegate.addReadConflict(key);
  }

  @Override
  public void addReadConflict(KeyRange range) {
    delegate.addReadConflict(range);
  }

  @Override
  public void addWriteConflict(Key key) {
    delegate.addWriteConflict(key);
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    delegate.addWriteConflict(range);
  }

  @Override
  public void nextWriteWithoutConflict() {
    delegate.nextWriteWithoutConflict();
  }

  @Override
  public Watch watch(Key key) {
    return delegate.watch(key);
  }

  @Override
  public <T> T attachment(AttachmentKey<T> key) {
    return delegate.attachment(key);
  }

  @Override
  public void beforeCommit(Consumer<? super Transaction> action) {
    delegate.beforeCommit(action);
  }

  @Override
  public void prepareCommit() {
    delegate.prepareCommit();
  }

  @Override
  public boolean hasWrites() {
    return delegate.hasWrites();
  }

  @Override
  public long size() {
    return delegate.size();
  }

  @Override
  public void commit() {
    delegate.commit();
  }

  @Override
  public long committedVersion() {
    return delegate.committedVersion();
  }

  @Override
  public Versionstamp versionstamp() {
    return delegate.versionstamp();
  }

  @Override
  public void cancel() {
    delegate.cancel();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
