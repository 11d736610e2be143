package dev.tidemark.records.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of an index: the entries whose first columns have given values, and whose next column
 * lies within bounds. {@code IndexRange.of("Tokyo").from(25).to(35)} is for an index on city and
 * age.
 *
 * <p>A bounded column is not null: {@code before(30)} leaves out entries without a value, because a
 * comparison with null is not true. {@code of((Object) null)} selects exactly those.
 *
 * @param equal the values of the first columns; null for entries without one
 * @param lower where the next column begins
 * @param upper where it ends
 * @param reverse whether the last entry comes first
 * @param limit the largest number of entries, which also bounds what is read; 0 for all
 */
public record IndexRange(
    List<@Nullable Object> equal, Bound lower, Bound upper, boolean reverse, int limit) {
  /** The whole index. */
  public static final IndexRange ALL =
      new IndexRange(List.of(), Bound.None.OPEN, Bound.None.OPEN, false, 0);

  /** One end of a range. */
  public sealed interface Bound {
    /** No value bounds the range. */
    enum None implements Bound {
      /** All values; null too, unless the other end has a bound. */
      OPEN,
      /** All values but null. */
      NOT_NULL
    }

    /**
     * A bound that belongs to the range.
     *
     * @param value the value
     */
    record Inclusive(Object value) implements Bound {}

    /**
     * A bound that does not belong to the range.
     *
     * @param value the value
     */
    record Exclusive(Object value) implements Bound {}

    /**
     * The beginning of all texts of a range; it is both ends of the range.
     *
     * @param text what they begin with
     */
    record Prefix(String text) implements Bound {}
  }

  /** Copies the list and checks the bounds. */
  public IndexRange {
    equal = Collections.unmodifiableList(new ArrayList<>(equal));
    if ((lower instanceof Bound.Prefix || upper instanceof Bound.Prefix) && !lower.equals(upper)) {
      throw new IllegalArgumentException(
          "A range is either by a beginning or by bounds; it was given %s and %s"
              .formatted(lower, upper));
    }
    if (limit < 0) {
      throw new IllegalArgumentException("limit is %,d; it must not be negative".formatted(limit));
    }
  }

  /** The entries whose first columns are {@code equal}. */
  public static IndexRange of(@Nullable Object... equal) {
    return new IndexRange(Arrays.asList(equal), Bound.None.OPEN, Bound.None.OPEN, false, 0);
  }

  /** This range where the next column is {@code value} or greater. */
  public IndexRange from(Object value) {
    return new IndexRange(equal, new Bound.Inclusive(value), upper, reverse, limit);
  }

  /** This range where the next column is greater than {@code value}. */
  public IndexRange after(Object value) {
    return new IndexRange(equal, new Bound.Exclusive(value), upper, reverse, limit);
  }

  /** This range where the next column is {@code value} or less. */
  public IndexRange to(Object value) {
    return new IndexRange(equal, lower, new Bound.Inclusive(value), reverse, limit);
  }

  /** This range where the next column is less than {@code value}. */
  public IndexRange before(Object value) {
    return new IndexRange(equal, lower, new Bound.Exclusive(value), reverse, limit);
  }

  /** This range where the next column, a string, begins with {@code text}. */
  public IndexRange startingWith(String text) {
    return new IndexRange(equal, new Bound.Prefix(text), new Bound.Prefix(text), reverse, limit);
  }

  /** This range where the next column is not null. */
  public IndexRange notNull() {
    return new IndexRange(equal, Bound.None.NOT_NULL, upper, reverse, limit);
  }

  /** This range in the opposite direction. */
  public IndexRange reversed() {
    return new IndexRange(equal, lower, upper, !reverse, limit);
  }

  /** The first {@code entries} entries of this range in its direction. */
  public IndexRange limit(int entries) {
    return new IndexRange(equal, lower, upper, reverse, entries);
  }

  /** Whether the column after those in {@link #equal} has a bound. */
  public boolean isBounded() {
    return lower != Bound.None.OPEN || upper != Bound.None.OPEN;
  }
}
