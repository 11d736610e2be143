package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The specification of a query for groups. A row of the result has the elements of the group, then
 * those of the aggregates.
 *
 * @param source the records; without order, limit and offset
 * @param groups the columns whose values records of a group share; none for one group of all
 * @param aggregates the aggregates of each group
 * @param having the condition on groups; its columns are of {@code groups} or stand for aggregates
 * @param order the order of the groups; ties are in the order of {@code groups}
 * @param limit the largest number of groups
 * @param offset the number of groups to skip
 */
public record GroupSpec(
    QuerySpec source,
    List<ColumnSpec> groups,
    List<AggregateSpec> aggregates,
    Condition having,
    List<Ordering> order,
    OptionalLong limit,
    long offset) {
  /** Copies the lists. */
  public GroupSpec {
    groups = List.copyOf(groups);
    aggregates = List.copyOf(aggregates);
    order = List.copyOf(order);
  }

  /** All groups by {@code groups}. */
  public static GroupSpec of(
      QuerySpec source, List<ColumnSpec> groups, List<AggregateSpec> aggregates) {
    return new GroupSpec(
        source, groups, aggregates, new Condition.Always(true), List.of(), OptionalLong.empty(), 0);
  }

  /** This query with other aggregates. */
  public GroupSpec asking(List<AggregateSpec> other) {
    return new GroupSpec(source, groups, other, having, order, limit, offset);
  }

  /** This query for groups that meet {@code other} as well. */
  public GroupSpec having(Condition other) {
    Condition both = new Condition.And(List.of(having, other));
    return new GroupSpec(source, groups, aggregates, both, order, limit, offset);
  }

  /** This query in another order. */
  public GroupSpec orderedBy(List<Ordering> other) {
    return new GroupSpec(source, groups, aggregates, having, other, limit, offset);
  }

  /** This query with another limit and offset. */
  public GroupSpec within(OptionalLong otherLimit, long otherOffset) {
    return new GroupSpec(source, groups, aggregates, having, order, otherLimit, otherOffset);
  }

  /** The columns of a row. */
  public List<ColumnSpec> columns() {
    List<ColumnSpec> all = new ArrayList<>(groups);
    aggregates.forEach(aggregate -> all.add(aggregate.key()));
    return all;
  }
}
