package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The specification of a query by its caller.
 *
 * @param condition the condition on records; its operands are values
 * @param order the order, the most significant column first
 * @param wanted the selected columns, ascending and not fanning out; empty for whole records
 * @param limit the largest number of records, after those of {@code offset}
 * @param offset the number of records to skip
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

  /** This query for records that meet {@code other} as well. */
  public QuerySpec and(Condition other) {
    Condition both =
        condition instanceof Condition.Always(boolean value) && value
            ? other
            : new Condition.And(List.of(condition, other));
    return new QuerySpec(both, order, wanted, limit, offset, index);
  }

  /** This query with ties sorted by {@code more}. */
  public QuerySpec orderedBy(List<Ordering> more) {
    List<Ordering> all = new ArrayList<>(order);
    all.addAll(more);
    return new QuerySpec(condition, all, wanted, limit, offset, index);
  }

  /** This query without an order. */
  public QuerySpec unordered() {
    return new QuerySpec(condition, List.of(), wanted, limit, offset, index);
  }

  /** This query for {@code columns} only. */
  public QuerySpec wanting(List<ColumnSpec> columns) {
    return new QuerySpec(condition, order, Optional.of(List.copyOf(columns)), limit, offset, index);
  }

  /** This query for whole records. */
  public QuerySpec wantingRecords() {
    return new QuerySpec(condition, order, Optional.empty(), limit, offset, index);
  }

  /** This query with another limit. */
  public QuerySpec limitedTo(OptionalLong other) {
    return new QuerySpec(condition, order, wanted, other, offset, index);
  }

  /** This query with another offset. */
  public QuerySpec from(long other) {
    return new QuerySpec(condition, order, wanted, limit, other, index);
  }

  /** How many rows are taken. */
  public Taken taken() {
    return Taken.of(limit.orElse(Long.MAX_VALUE), offset);
  }

  /** This query with the required index {@code name}. */
  public QuerySpec using(String name) {
    return new QuerySpec(condition, order, wanted, limit, offset, Optional.of(name));
  }
}
