package dev.tidemark.foundationdb.internal;

import com.apple.foundationdb.async.AsyncIterator;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one iteration. The client fetches them in portions and has the next one on its way
 * while this one is read. Not for several threads at a time.
 */
final class ClusterRows implements Iterator<KeyValue> {
  private final ClusterTransaction tx;
  private final Supplier<AsyncIterator<com.apple.foundationdb.KeyValue>> range;

  /** Absent before the first row is asked for, because the client reads as soon as it is made. */
  private @Nullable AsyncIterator<com.apple.foundationdb.KeyValue> rows;

  private boolean rowIsReady;

  ClusterRows(
      ClusterTransaction tx, Supplier<AsyncIterator<com.apple.foundationdb.KeyValue>> range) {
    this.tx = tx;
    this.range = range;
  }

  @Override
  public boolean hasNext() {
    rowIsReady = rowIsReady || tx.read(() -> tx.await(begun().onHasNext()));
    return rowIsReady;
  }

  @Override
  public KeyValue next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The scan has no more rows");
    }
    com.apple.foundationdb.KeyValue row = tx.read(begun()::next);
    rowIsReady = false;
    return new KeyValue(Key.wrap(row.getKey()), row.getValue());
  }

  private AsyncIterator<com.apple.foundationdb.KeyValue> begun() {
    if (rows == null) {
      rows = range.get();
    }
    return rows;
  }
}
