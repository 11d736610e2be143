package dev.tidemark.records;

import dev.tidemark.kv.Tuple;
import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rows without those that have come before.
 *
 * @param <T> what becomes of a row
 */
final class DistinctRows<T> implements Iterator<T> {
  private final Iterator<@Nullable Object[]> rows;
  private final boolean together;
  private final int max;
  private final Function<@Nullable Object[], T> form;
  private final Set<Tuple> seen = new HashSet<>();
  private @Nullable Object @Nullable [] next;

  /**
   * Rows of elements that are not equal to an earlier one.
   *
   * @param together whether equal rows follow each other, so that one is remembered and not all
   * @param max how many are remembered
   * @param form what becomes of a row
   */
  DistinctRows(
      Iterator<@Nullable Object[]> rows,
      boolean together,
      int max,
      Function<@Nullable Object[], T> form) {
    this.form = form;
    this.rows = rows;
    this.together = together;
    this.max = max;
  }

  @Override
  public boolean hasNext() {
    while (next == null && rows.hasNext()) {
      @Nullable Object[] row = rows.next();
      Tuple key = Tuple.of(row);
      if (seen.contains(key)) {
        continue;
      }
      if (together) {
        seen.clear();
      }
      seen.add(key);
      if (seen.size() > max) {
        throw new IllegalStateException(
            "A query has more than %,d distinct rows, which is as many as are kept in memory. Sort by the same fields, then nothing needs to be kept"
                .formatted(max));
      }
      next = row;
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("There are no more rows");
    }
    @Nullable Object[] row = next;
    next = null;
    return form.apply(row);
  }
}
