package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All that a query asks for, as its caller put it.
 *
 * @param condition what records must meet; its operands are values
 * @param order what they are sorted by, the most important column first
 * @param wanted the columns that are asked for, ascending and not fanning out; empty for whole
 *     records
 * @param limit how many come at most, after those of {@code offset}
 * @param offset how many are left out at the beginning
 * @param index the index that must be used
 */
public record QuerySpec(
    Condition condition,
    List<Ordering> order,
    Optional<List<ColumnSpec>> wanted,
    OptionalLong limit,
    long offset,
    Optional<String> index) {
  /** Everything. */
  public static final QuerySpec ALL =
      new QuerySpec(
          new Condition.Always(true),
          List.of(),
          Optional.empty(),
          OptionalLong.empty(),
          0,
          Optional.empty());

  /** Copies the list. */
  public QuerySpec {
    order = List.copyOf(order);
  }

  /** The same with {@code other} asked for as well. */
  public QuerySpec and(Condition other) {
    Condition both =
        condition instanceof Condition.Always(boolean value) && value
            ? other
            : new Condition.And(List.of(condition, other));
    return new QuerySpec(both, order, wanted, limit, offset, index);
  }

  /** The same, sorted by {@code more} where the order so far makes no difference. */
  public QuerySpec orderedBy(List<Ordering> more) {
    List<Ordering> all = new ArrayList<>(order);
    all.addAll(more);
    return new QuerySpec(condition, all, wanted, limit, offset, index);
  }

  /** The same in no order. */
  public QuerySpec unordered() {
    return new QuerySpec(condition, List.of(), wanted, limit, offset, index);
  }

  /** The same for these columns only. */
  public QuerySpec wanting(List<ColumnSpec> columns) {
    return new QuerySpec(condition, order, Optional.of(List.copyOf(columns)), limit, offset, index);
  }

  /** The same for whole records. */
  public QuerySpec wantingRecords() {
    return new QuerySpec(condition, order, Optional.empty(), limit, offset, index);
  }

  /** The same with another limit. */
  public QuerySpec limitedTo(OptionalLong other) {
    return new QuerySpec(condition, order, wanted, other, offset, index);
  }

  /** The same with another offset. */
  public QuerySpec from(long other) {
    return new QuerySpec(condition, order, wanted, limit, other, index);
  }

  /** How many rows are taken. */
  public Taken taken() {
    return Taken.of(limit.orElse(Long.MAX_VALUE), offset);
  }

  /** The same by way of {@code name}. */
  public QuerySpec using(String name) {
    return new QuerySpec(condition, order, wanted, limit, offset, Optional.of(name));
  }
}
