package dev.tidemark.records.internal.query.plan;

import org.jspecify.annotations.Nullable;

/**
 * Values between two bounds, as elements of an ascending column. Null is never among them.
 *
 * @param lower the lower bound; null if there is none
 * @param lowerInclusive whether the lower bound is in the interval itself
 * @param upper the upper bound; null if there is none
 * @param upperInclusive whether the upper bound is in the interval itself
 */
public record Interval(
    @Nullable Object lower,
    boolean lowerInclusive,
    @Nullable Object upper,
    boolean upperInclusive) {
  /** Every value but null. */
  public static final Interval NOT_NULL = new Interval(null, true, null, true);

  /** The texts that begin with {@code prefix}, about: bounds of an estimate, not of a scan. */
  public static Interval startingWith(String prefix) {
    return new Interval(prefix, true, prefix + Character.MAX_VALUE, true);
  }
}
