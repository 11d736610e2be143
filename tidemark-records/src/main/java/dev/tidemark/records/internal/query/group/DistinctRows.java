package dev.tidemark.records.internal.query.group;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An iterator that removes duplicate rows.
 *
 * @param <T> the type of the results
 */
public final class DistinctRows<T> implements Iterator<T> {
  /** The largest number of distinct rows that are kept in memory. */
  public static final int MAX = 100_000;

  private final Iterator<@Nullable Object[]> rows;
  private final boolean together;
  private final Function<@Nullable Object[], T> form;
  private final Set<Tuple> seen = new HashSet<>();
  private @Nullable Object @Nullable [] next;

  /**
   * Rows of elements that are not equal to an earlier one.
   *
   * @param together whether equal rows are adjacent, so that only the last one is kept
   * @param form converts a row to a result
   */
  public DistinctRows(
      Iterator<@Nullable Object[]> rows, boolean together, Function<@Nullable Object[], T> form) {
    this.form = form;
    this.rows = rows;
    this.together = together;
  }

  /** Whether equal rows of {@code columns} are adjacent in {@code order}. */
  public static boolean areTogether(List<ColumnSpec> columns, List<Ordering> order) {
    Set<ColumnSpec> wanted = new HashSet<>(columns);
    return order.size() >= wanted.size()
        && order.stream()
            .limit(wanted.size())
            .map(Ordering::column)
            .collect(Collectors.toSet())
            .equals(wanted);
  }

  @Override
  public boolean hasNext() {
    while (next == null && rows.hasNext()) {
      @Nullable Object[] row = rows.next();
      Tuple key = KeyElements.alike(row);
      if (seen.contains(key)) {
        continue;
      }
      if (together) {
        seen.clear();
      }
      seen.add(key);
      if (seen.size() > MAX) {
        throw new IllegalStateException(
            "A query has more than %,d distinct rows, which is as many as are kept in memory. Sort by the same fields, then nothing needs to be kept"
                .formatted(MAX));
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
