package dev.tidemark.testkit.decorate;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import java.time.Instant;
import java.util.List;

/**
 * A database that passes every call on, except that retries begin their transactions here. For
 * tests that put something between a layer and its store.
 */
public abstract class ForwardingDatabase implements Database {
  /** The database that is decorated. */
  protected final Database delegate;

  /** Passes calls on to {@code delegate}. */
  protected ForwardingDatabase(Database delegate) {
    this.delegate = delegate;
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return delegate.begin(options);
  }

  @Override
  public long estimatedSize(KeyRange range) {
    return delegate.estimatedSize(range);
  }

  @Override
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    return delegate.splitPoints(range, pieceBytes);
  }

  @Override
  public boolean commitCanBeUnknown() {
    return delegate.commitCanBeUnknown();
  }

  @Override
  public Limits limits() {
    return delegate.limits();
  }

  @Override
  public Instant timeOf(long version) {
    return delegate.timeOf(version);
  }

  @Override
  public long versionAt(Instant instant) {
    return delegate.versionAt(instant);
  }

  @Override
  public TimeSource time() {
    return delegate.time();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
