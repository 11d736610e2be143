package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * All that a query about groups asks for. A row of the answer has the elements of the group, then
 * those of the aggregates.
 *
 * @param source which records are asked about; without order, limit and offset
 * @param groups the columns whose values records of a group share; none for one group of all
 * @param aggregates what is asked about each group
 * @param having what groups must meet; its columns are of {@code groups} or stand for aggregates
 * @param order what groups are sorted by; behind that, by {@code groups}
 * @param limit how many come at most
 * @param offset how many are left out at the beginning
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

  /** The same about other things. */
  public GroupSpec asking(List<AggregateSpec> other) {
    return new GroupSpec(source, groups, other, having, order, limit, offset);
  }

  /** The same for groups that meet {@code other} as well. */
  public GroupSpec having(Condition other) {
    Condition both = new Condition.And(List.of(having, other));
    return new GroupSpec(source, groups, aggregates, both, order, limit, offset);
  }

  /** The same in another order. */
  public GroupSpec orderedBy(List<Ordering> other) {
    return new GroupSpec(source, groups, aggregates, having, other, limit, offset);
  }

  /** The same with another limit and offset. */
  public GroupSpec within(OptionalLong otherLimit, long otherOffset) {
    return new GroupSpec(source, groups, aggregates, having, order, otherLimit, otherOffset);
  }

  /** What the elements of a row stand for. */
  public List<ColumnSpec> columns() {
    List<ColumnSpec> all = new ArrayList<>(groups);
    aggregates.forEach(aggregate -> all.add(aggregate.key()));
    return all;
  }
}
