package dev.tidemark.records.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a query as text. {@link #toString} formats it with a line for each row.
 *
 * @param columns the names of the columns
 * @param rows the values of each row in the order of the columns; null where there is none
 */
public record Table(List<String> columns, List<List<@Nullable Object>> rows) {
  /** Copies the lists. */
  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /** An unmodifiable row. */
  static List<@Nullable Object> row(@Nullable Object[] values) {
    List<@Nullable Object> row = new ArrayList<>(values.length);
    for (Object value : values) {
      row.add(value);
    }
    return Collections.unmodifiableList(row);
  }

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    TableWriter writer = new TableWriter(columns, rows.size(), lines::add);
    rows.forEach(writer::add);
    writer.end();
    return String.join("\n", lines);
  }
}
