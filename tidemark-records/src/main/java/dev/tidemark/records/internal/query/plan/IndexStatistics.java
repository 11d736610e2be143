package dev.tidemark.records.internal.query.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statistics, collected or assumed, of the entries of one index or of the primary keys of a
 * type. All values are elements of ascending columns, even where the index is descending. Fractions
 * are of the entries of the index, from 0 to 1.
 */
public interface IndexStatistics {
  /** How many entries there are. */
  double entries();

  /** How many bytes the key and the value of an entry have on average. */
  double entryBytes();

  /**
   * The number of distinct values of the first {@code columns} columns together; at least 1.
   *
   * @param columns from 1 to the number of columns, without the primary key behind them
   */
  double distinct(int columns);

  /**
   * The fraction of entries whose first columns are {@code prefix}.
   *
   * @param prefix the elements of the first columns; null stands for null
   */
  double equal(List<@Nullable Object> prefix);

  /**
   * The fraction of entries whose first columns are {@code prefix} and whose next column lies in
   * {@code interval}.
   */
  double within(List<@Nullable Object> prefix, Interval interval);
}
