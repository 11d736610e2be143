package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;
import java.util.Optional;

/**
 * A query without its values, for which plans are made and cached.
 *
 * @param type the name of the record type
 * @param condition the normalised condition on records, with slots for values
 * @param order the order
 * @param wanted the selected columns; empty for whole records
 * @param bounded whether the query has a limit, which favours plans that return the first rows
 *     early
 * @param index the index that the query requires
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
