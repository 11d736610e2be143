package dev.tidemark.records.internal.query.group;

import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of rows of elements. */
final class RowOrder implements Comparator<@Nullable Object[]> {
  private final List<Ordering> by;
  private final int[] places;

  /**
   * Sorts by {@code by}.
   *
   * @param columns what the elements of a row stand for
   * @throws IllegalArgumentException if rows lack one of the columns to sort by
   */
  RowOrder(List<ColumnSpec> columns, List<Ordering> by) {
    this.by = List.copyOf(by);
    this.places = by.stream().mapToInt(one -> columns.indexOf(one.column())).toArray();
    for (int place : places) {
      if (place < 0) {
        throw new IllegalArgumentException(
            "Rows are sorted by something that is none of their columns");
      }
    }
  }

  @Override
  public int compare(@Nullable Object[] one, @Nullable Object[] other) {
    for (int i = 0; i < places.length; i++) {
      int order = compare(by.get(i), one[places[i]], other[places[i]]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(Ordering by, @Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      int nulls = Boolean.compare(other == null, one == null);
      return by.nullsFirst() ? nulls : -nulls;
    }
    int order = ElementOrder.compare(one, other);
    return by.descending() ? -order : order;
  }
}
