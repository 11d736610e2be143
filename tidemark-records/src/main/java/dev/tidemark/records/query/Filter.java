package dev.tidemark.records.query;

import dev.tidemark.records.internal.query.condition.Condition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A condition on records. Fields create filters, {@code User_.CITY.eq("Tokyo")}; {@link #and},
 * {@link #or} and {@link #not} combine them. Immutable.
 *
 * <p>For a record it is true, false or unknown, as in SQL: a comparison with a field that is null
 * is unknown, and so is its negation. A query returns the records for which the filter is true. So
 * {@code AGE.lt(18).not()} leaves out records without an age; add {@code .or(AGE.isNull())} to
 * include them.
 *
 * @param <R> the Java class of the records
 */
public final class Filter<R> {
  /** Bounds the recursion of the planner. */
  private static final int DEPTH_MAX = 200;

  private final Condition condition;

  /** The number of nested {@link #and}, {@link #or} and {@link #not}. */
  private final int depth;

  Filter(Condition condition) {
    this(condition, 0);
  }

  private Filter(Condition condition, int depth) {
    if (depth > DEPTH_MAX) {
      throw new IllegalArgumentException(
          "A filter of more than %d levels of and, or and not. Join many with Filter.all or Filter.any, or ask with in"
              .formatted(DEPTH_MAX));
    }
    this.condition = condition;
    this.depth = depth;
  }

  /** True where all of {@code filters} are; for none of them, everywhere. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <R> Filter<R> all(Filter<R>... filters) {
    return all(Arrays.asList(filters));
  }

  /** True where all of {@code filters} are; for none of them, everywhere. */
  public static <R> Filter<R> all(List<Filter<R>> filters) {
    return switch (filters.size()) {
      case 0 -> new Filter<>(new Condition.Always(true));
      case 1 -> filters.getFirst();
      default -> joined(filters, Filter::partsOfAnd, Condition.And::new);
    };
  }

  /** True where one of {@code filters} is; for none of them, nowhere. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <R> Filter<R> any(Filter<R>... filters) {
    return any(Arrays.asList(filters));
  }

  /** True where one of {@code filters} is; for none of them, nowhere. */
  public static <R> Filter<R> any(List<Filter<R>> filters) {
    return switch (filters.size()) {
      case 0 -> new Filter<>(new Condition.Always(false));
      case 1 -> filters.getFirst();
      default -> joined(filters, Filter::partsOfOr, Condition.Or::new);
    };
  }

  /** Flattens an And in an And and an Or in an Or, so that a long chain is not deep. */
  private static <R> Filter<R> joined(
      List<Filter<R>> filters,
      Function<Condition, List<Condition>> partsOfTheSame,
      Function<List<Condition>, Condition> join) {
    List<Condition> parts = new ArrayList<>(filters.size());
    int depth = 0;
    for (Filter<R> filter : filters) {
      List<Condition> inner = partsOfTheSame.apply(filter.condition);
      parts.addAll(inner.isEmpty() ? List.of(filter.condition) : inner);
      depth = Math.max(depth, inner.isEmpty() ? filter.depth + 1 : filter.depth);
    }
    return new Filter<>(join.apply(parts), depth);
  }

  private static List<Condition> partsOfAnd(Condition condition) {
    return condition instanceof Condition.And(var parts) ? parts : List.of();
  }

  private static List<Condition> partsOfOr(Condition condition) {
    return condition instanceof Condition.Or(var parts) ? parts : List.of();
  }

  /** True where this and {@code other} are. */
  public Filter<R> and(Filter<R> other) {
    return all(List.of(this, other));
  }

  /** True where this or {@code other} is. */
  public Filter<R> or(Filter<R> other) {
    return any(List.of(this, other));
  }

  /** True where this is false, and unknown where this is unknown. */
  public Filter<R> not() {
    return new Filter<>(new Condition.Not(condition), depth + 1);
  }

  Condition condition() {
    return condition;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Filter<?> that && condition.equals(that.condition);
  }

  @Override
  public int hashCode() {
    return condition.hashCode();
  }

  @Override
  public String toString() {
    return condition.toString();
  }
}
