package dev.tidemark.records.maintenance;

import dev.tidemark.kv.tuple.Tuple;
import java.util.List;

/**
 * Values that several records share in a unique index.
 *
 * @param index the name of the index
 * @param values the values of its columns
 * @param primaryKeys the primary keys of all records with these values
 */
public record Violation(String index, Tuple values, List<Tuple> primaryKeys) {
  /** Copies the list. */
  public Violation {
    primaryKeys = List.copyOf(primaryKeys);
  }
}
