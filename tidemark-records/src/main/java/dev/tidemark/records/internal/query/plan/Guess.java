package dev.tidemark.records.internal.query.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * The numbers only have to put plans into a sane order: an equality beats a prefix, that beats a range, more
 * columns beat fewer, and a unique index beats all. A type is taken to be large, so that an index is worth
 * its loads of single records unless it has nothing to say.
 */

/**
 * The assumptions about an index without statistics.
 *
 * @param entries how many entries there are
 * @param columns how many columns the index has
 * @param unique whether all columns together tell entries apart
 */
public record Guess(double entries, int columns, boolean unique) implements IndexStatistics {
  /** The assumed number of records of a type. */
  public static final double ROWS = 100_000;

  /** The assumed size of a record. */
  public static final double RECORD_BYTES = 200;

  /** The fraction of values that equal a given one. */
  public static final double EQUAL = 0.01;

  /** The fraction of values that lie beyond one bound. */
  public static final double BOUND = 0.3;

  /** The fraction of values that lie between two bounds. */
  public static final double BETWEEN = 0.1;

  /** The fraction of values that are null where they can be. */
  public static final double NULL = 0.05;

  private static final double ENTRY_BYTES = 40;

  @Override
  public double entryBytes() {
    return ENTRY_BYTES;
  }

  @Override
  public double distinct(int count) {
    return unique && count >= columns
        ? Math.max(1, entries)
        : Math.clamp(Math.pow(1 / EQUAL, count), 1, Math.max(1, entries));
  }

  @Override
  public double equal(List<@Nullable Object> prefix) {
    if (prefix.isEmpty()) {
      return 1;
    }
    double fraction = 1 / distinct(prefix.size());
    for (Object element : prefix) {
      fraction *= element == null ? NULL / EQUAL : 1;
    }
    return Math.min(1, fraction);
  }

  @Override
  public double within(List<@Nullable Object> prefix, Interval interval) {
    return equal(prefix) * column(interval);
  }

  /** The fraction of the values of a column that lie in {@code interval}. */
  public static double column(Interval interval) {
    if (interval.lower() == null && interval.upper() == null) {
      return 1 - NULL;
    }
    return interval.lower() == null || interval.upper() == null ? BOUND : BETWEEN;
  }
}
