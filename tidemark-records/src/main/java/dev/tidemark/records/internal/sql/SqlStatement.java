package dev.tidemark.records.internal.sql;

import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A query as text, understood.
 *
 * @param explain whether it is asked how the query is answered
 * @param distinct whether equal rows come once
 * @param items what is asked for
 * @param sources the types; two of them for a join
 * @param join how they are joined
 * @param where conditions that must all hold
 * @param groups the columns of GROUP BY
 * @param aggregates all aggregates of items, HAVING and ORDER BY
 * @param having what groups must meet
 * @param order what rows are sorted by
 * @param limit how many rows come at most
 * @param offset how many are left out at the beginning
 */
record SqlStatement(
    boolean explain,
    boolean distinct,
    List<Item> items,
    List<SqlScope.Source> sources,
    Optional<Joining> join,
    List<Part> where,
    List<SqlScope.Column> groups,
    List<AggregateSpec> aggregates,
    Condition having,
    List<Sorting> order,
    OptionalLong limit,
    long offset) {
  /** Something that is asked for, a column or an aggregate, and where it stands. */
  record Item(
      Optional<SqlScope.Column> column,
      Optional<AggregateSpec> aggregate,
      String name,
      SqlTokens.Token at) {}

  /**
   * How two types are joined.
   *
   * @param referring the place of the type that refers
   * @param reference its column
   * @param outer whether records without a match come as well
   */
  record Joining(int referring, ColumnSpec reference, boolean outer) {}

  /** A condition on one type, and where it stands. */
  record Part(Condition condition, int source, SqlTokens.Token at) {}

  /** An order, the type that its column is of, and where it stands. */
  record Sorting(Ordering by, int source, SqlTokens.Token at) {}

  /** Whether it is about groups. */
  boolean isGrouped() {
    return !groups.isEmpty() || !aggregates.isEmpty();
  }
}
