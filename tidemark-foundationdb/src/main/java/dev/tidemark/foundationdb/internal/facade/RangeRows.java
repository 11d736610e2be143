package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The rows of a range, read anew by each iteration.
 *
 * @param source reads them
 * @param mode in which portions
 * @param clear removes the row with a key
 * @param answers tells what was read
 */
record RangeRows<T extends KeyValue>(
    Source<T> source, StreamingMode mode, Consumer<byte[]> clear, Answers answers)
    implements AsyncIterable<T> {
  /** Completes the futures of results. */
  @FunctionalInterface
  interface Answers {
    /** The result of {@code read}, which is done in this call. */
    <R> CompletableFuture<R> of(Supplier<R> read);
  }

  /** Where the rows come from. */
  @FunctionalInterface
  interface Source<T> {
    Iterator<T> open(StreamingMode mode);
  }

  @Override
  public AsyncIterator<T> iterator() {
    return new RowIterator<>(() -> source.open(mode), clear, answers);
  }

  @Override
  public CompletableFuture<List<T>> asList() {
    return answers.of(
        () -> {
          List<T> rows = new ArrayList<>();
          source
              .open(mode == StreamingMode.ITERATOR ? StreamingMode.WANT_ALL : mode)
              .forEachRemaining(rows::add);
          return rows;
        });
  }
}
