package dev.tidemark.records;

import dev.tidemark.records.internal.query.Condition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which records a query wants. Made from fields, {@code User_.CITY.eq("Tokyo")}, and joined with
 * {@link #and}, {@link #or} and {@link #not}. Immutable.
 *
 * <p>For a record it is true, false or unknown, as in SQL: what compares a field that is null is
 * unknown, and so is the opposite of it. A query wants the records for which it is true. So {@code
 * AGE.lt(18).not()} leaves out records without an age; add {@code .or(AGE.isNull())} to have them.
 *
 * @param <R> the Java class of the records
 */
public final class Filter<R> {
  private final Condition condition;

  Filter(Condition condition) {
    this.condition = condition;
  }

  /** True where all of {@code filters} are; for none of them, everywhere. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <R> Filter<R> all(Filter<R>... filters) {
    return all(Arrays.asList(filters));
  }

  /** True where all of {@code filters} are; for none of them, everywhere. */
  public static <R> Filter<R> all(List<Filter<R>> filters) {
    return new Filter<>(
        switch (filters.size()) {
          case 0 -> new Condition.Always(true);
          case 1 -> filters.getFirst().condition;
          default -> new Condition.And(conditions(filters));
        });
  }

  /** True where one of {@code filters} is; for none of them, nowhere. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <R> Filter<R> any(Filter<R>... filters) {
    return any(Arrays.asList(filters));
  }

  /** True where one of {@code filters} is; for none of them, nowhere. */
  public static <R> Filter<R> any(List<Filter<R>> filters) {
    return new Filter<>(
        switch (filters.size()) {
          case 0 -> new Condition.Always(false);
          case 1 -> filters.getFirst().condition;
          default -> new Condition.Or(conditions(filters));
        });
  }

  private static <R> List<Condition> conditions(List<Filter<R>> filters) {
    List<Condition> conditions = new ArrayList<>(filters.size());
    filters.forEach(filter -> conditions.add(filter.condition));
    return conditions;
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
    return new Filter<>(new Condition.Not(condition));
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
