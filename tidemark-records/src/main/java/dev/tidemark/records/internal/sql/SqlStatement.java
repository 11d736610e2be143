package dev.tidemark.records.internal.sql;

import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A parsed query.
 *
 * @param explain whether the statement is EXPLAIN
 * @param distinct whether duplicate rows are removed
 * @param items the selected items
 * @param sources the types; two of them for a join
 * @param join how they are joined
 * @param where conditions that must all hold
 * @param groups the columns of GROUP BY
 * @param aggregates all aggregates of items, HAVING and ORDER BY
 * @param having the condition on groups
 * @param order the order of the rows
 * @param limit the largest number of rows
 * @param offset the number of rows to skip
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
  /** A selected column or aggregate, with its position in the text. */
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
