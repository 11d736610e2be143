package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.async.AsyncIterator;
import java.util.Iterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One iteration over a range. The first portion is read when the iteration begins, as a cluster's
 * client would ask for it then: what the transaction writes afterwards is not in it.
 */
final class RowIterator<T extends KeyValue> implements AsyncIterator<T> {
  private final Iterator<T> rows;
  private final Consumer<byte[]> clear;
  private final RangeRows.Answers answers;
  private volatile boolean cancelled;
  private volatile byte @Nullable [] lastKey;

  RowIterator(Supplier<Iterator<T>> source, Consumer<byte[]> clear, RangeRows.Answers answers) {
    this.rows = begun(source);
    this.clear = clear;
    this.answers = answers;
  }

  private static <T> Iterator<T> begun(Supplier<Iterator<T>> source) {
    try {
      Iterator<T> rows = source.get();
      var unused = rows.hasNext(); // reads the first portion
      return rows;
    } catch (RuntimeException failure) {
      return new Failed<>(failure);
    }
  }

  /** An iteration that could not begin: it says so when the first row is asked for. */
  private record Failed<T>(RuntimeException failure) implements Iterator<T> {
    @Override
    public boolean hasNext() {
      throw failure;
    }

    @Override
    public T next() {
      throw failure;
    }
  }

  @Override
  public CompletableFuture<Boolean> onHasNext() {
    return answers.of(() -> rows().hasNext());
  }

  /** Fails as the wait for a future does, as in fdb-java: around the reason. */
  @Override
  public boolean hasNext() {
    return Futures.now(() -> rows().hasNext()).join();
  }

  @Override
  public T next() {
    T row = Futures.now(() -> rows().next()).join();
    lastKey = row.getKey();
    return row;
  }

  /** Clears the key of the row that came last, and may do so again, as in fdb-java. */
  @Override
  public void remove() {
    byte[] key = lastKey;
    if (key == null) {
      throw new IllegalStateException("There is no row to remove before the first call of next()");
    }
    clear.accept(key);
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  private Iterator<T> rows() {
    if (cancelled) {
      throw new CancellationException("The iteration over the range was cancelled");
    }
    return rows;
  }
}
