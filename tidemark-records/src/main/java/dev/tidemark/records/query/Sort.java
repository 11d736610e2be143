package dev.tidemark.records.query;

import dev.tidemark.records.internal.query.condition.Ordering;

/**
 * An order of results: a field in ascending order, or {@code field.desc()}.
 *
 * @param <R> the Java class of the records
 */
public sealed interface Sort<R> permits Field, Sort.By {
  /**
   * A field and a direction.
   *
   * @param <R> the Java class of the records
   */
  final class By<R> implements Sort<R> {
    private final Ordering ordering;

    By(Ordering ordering) {
      this.ordering = ordering;
    }

    /** This order with nulls first. */
    public By<R> nullsFirst() {
      return new By<>(new Ordering(ordering.column(), ordering.descending(), true));
    }

    /** This order with nulls last. */
    public By<R> nullsLast() {
      return new By<>(new Ordering(ordering.column(), ordering.descending(), false));
    }

    Ordering ordering() {
      return ordering;
    }
  }
}
