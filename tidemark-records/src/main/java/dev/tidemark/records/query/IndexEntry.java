package dev.tidemark.records.query;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.IndexKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an index. The value of an enum is the name of its constant.
 *
 * @param columns the values of the index's columns; in a {@link IndexKind#VERSION} index followed
 *     by the {@link dev.tidemark.kv.Versionstamp}
 * @param covering the values of the fields that the index covers
 * @param primaryKey the primary key of the record that the entry belongs to
 */
public record IndexEntry(
    List<@Nullable Object> columns, List<@Nullable Object> covering, Tuple primaryKey) {
  /** Copies the lists. */
  public IndexEntry {
    columns = copy(columns);
    covering = copy(covering);
  }

  private static List<@Nullable Object> copy(List<@Nullable Object> values) {
    return values.isEmpty() ? List.of() : Collections.unmodifiableList(new ArrayList<>(values));
  }
}
