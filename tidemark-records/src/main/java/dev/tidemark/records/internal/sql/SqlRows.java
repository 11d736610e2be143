package dev.tidemark.records.internal.sql;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of a result, each with a value for each column, read as they are taken. */
public final class SqlRows implements Iterator<@Nullable Object[]>, AutoCloseable {
  private final Iterator<@Nullable Object[]> rows;
  private final Runnable close;
  private long left;

  private SqlRows(Iterator<@Nullable Object[]> rows, OptionalLong limit, Runnable close) {
    this.rows = rows;
    this.left = limit.orElse(Long.MAX_VALUE);
    this.close = close;
  }

  /** Rows in memory. */
  static SqlRows of(List<@Nullable Object[]> rows) {
    return new SqlRows(rows.iterator(), OptionalLong.empty(), () -> {});
  }

  /** The rows of {@code source}, converted by {@code form}; {@code close} closes the source. */
  static <S> SqlRows of(
      Iterator<S> source, Function<? super S, @Nullable Object[]> form, Runnable close) {
    Iterator<@Nullable Object[]> formed =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return source.hasNext();
          }

          @Override
          public @Nullable Object[] next() {
            return form.apply(source.next());
          }
        };
    return new SqlRows(formed, OptionalLong.empty(), close);
  }

  /** These rows without the first {@code offset}, and at most {@code limit} of the others. */
  SqlRows within(long offset, OptionalLong limit) {
    if (limit.isEmpty() || limit.getAsLong() > 0) {
      for (long i = 0; i < offset && rows.hasNext(); i++) {
        rows.next();
      }
    }
    return new SqlRows(rows, limit, close);
  }

  @Override
  public boolean hasNext() {
    return left > 0 && rows.hasNext();
  }

  @Override
  public @Nullable Object[] next() {
    if (left <= 0) {
      throw new NoSuchElementException("There are no more rows");
    }
    left--;
    return rows.next();
  }

  @Override
  public void close() {
    close.run();
  }
}
