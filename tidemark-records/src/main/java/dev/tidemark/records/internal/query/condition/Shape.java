package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;
import java.util.Optional;

/**
 * A query without its values: what plans are made for and cached by.
 *
 * @param type the name of the record type
 * @param condition what records must meet, normalised, with slots for values
 * @param order the order that is asked for
 * @param wanted the columns that are asked for; empty for whole records
 * @param bounded whether the query has a limit, so that a plan that delivers early is worth more
 * @param index the index that the query insists on
 */
public record Shape(
    String type,
    Condition condition,
    List<Ordering> order,
    Optional<List<ColumnSpec>> wanted,
    boolean bounded,
    Optional<String> index) {
  /** Copies the list. */
  public Shape {
    order = List.copyOf(order);
  }
}
