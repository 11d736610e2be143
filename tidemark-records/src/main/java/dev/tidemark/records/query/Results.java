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
 * A query whose results a transaction reads. Immutable: any number of transactions and threads may
 * use it.
 *
 * <p>Read with a {@link dev.tidemark.kv.Transaction}, the results are serializable: the transaction
 * conflicts with commits that change them, including new records. Read with {@code tx.snapshot()},
 * it does not. Results are never truncated: if a transaction cannot continue, the call throws.
 *
 * @param <T> what a result is
 */
public abstract sealed class Results<T> permits Query, Selection, Grouping, Join {
  Results() {}

  /** Reads the results. */
  abstract Cursor<T> open(ReadTransaction tx);

  /** This query for at most {@code rows} results. */
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
   * The first result; any result if there is no order.
   *
   * @throws IllegalStateException if it is null, as a selection of a field may be
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
   * The results, read as they are taken. The stream closes itself at its end; close a stream that
   * is abandoned before.
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
