package dev.tidemark.records.maintenance;

import dev.tidemark.kv.Tuple;
import java.util.List;

/**
 * Values that several records share in an index that should be unique.
 *
 * @param index the name of the index
 * @param values the values of its columns
 * @param primaryKeys all records that have them
 */
public record Violation(String index, Tuple values, List<Tuple> primaryKeys) {
  /** Copies the list. */
  public Violation {
    primaryKeys = List.copyOf(primaryKeys);
  }
}
