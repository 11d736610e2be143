package dev.tidemark.records.query;

import dev.tidemark.kv.ReadTransaction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked for and then taken in a transaction. Immutable: the same one can be used in any
 * number of transactions and by several threads.
 *
 * <p>Read with a {@link dev.tidemark.kv.Transaction} the answer is serializable: the transaction
 * conflicts with whoever changes it, also by new records. Read with {@code tx.snapshot()} it does
 * not. Either way it is never cut off: where a transaction cannot go on, the call throws.
 *
 * @param <T> what a result is
 */
public abstract sealed class Results<T> permits Query, Selection, Grouping, Join {
  Results() {}

  /** Reads the results. */
  abstract Cursor<T> open(ReadTransaction tx);

  /** The same for at most {@code rows} results. */
  abstract Results<T> atMost(long rows);

  /** All results. */
  public final List<T> list(ReadTransaction tx) {
    List<T> all = new ArrayList<>();
    try (Cursor<T> rows = open(tx)) {
      rows.forEachRemaining(all::add);
    }
    return all;
  }

  /**
   * The first result; any of them if there is no order.
   *
   * @throws IllegalStateException if it is null, as a selection can make of a field
   */
  public final Optional<T> first(ReadTransaction tx) {
    try (Cursor<T> rows = atMost(1).open(tx)) {
      return rows.hasNext() ? Optional.of(notNull(rows.next())) : Optional.empty();
    }
  }

  /**
   * The only result.
   *
   * @throws IllegalStateException if there are several, or if it is null
   */
  public final Optional<T> one(ReadTransaction tx) {
    List<T> found = atMost(2).list(tx);
    if (found.size() > 1) {
      throw new IllegalStateException(
          "The query %s has several results where one is expected; take first, or ask more exactly"
              .formatted(this));
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(notNull(found.getFirst()));
  }

  private T notNull(@Nullable T result) {
    if (result == null) {
      throw new IllegalStateException(
          "The result of %s is null, which is not the same as none; take list, or leave out nulls with a filter"
              .formatted(this));
    }
    return result;
  }

  /**
   * The results, read as they are taken. Closes itself at its end; a stream that is left before it
   * should be closed.
   */
  public final Stream<T> stream(ReadTransaction tx) {
    Cursor<T> rows = open(tx);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                closing(rows), Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(rows::close);
  }

  private static <T> Iterator<T> closing(Cursor<T> rows) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        if (rows.hasNext()) {
          return true;
        }
        rows.close();
        return false;
      }

      @Override
      public T next() {
        return rows.next();
      }
    };
  }
}
