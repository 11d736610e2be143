package dev.tidemark.records;

import dev.tidemark.records.internal.DynamicValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a query as text. {@link #toString} shows it for people, with a line for each row.
 *
 * @param columns the names of the columns
 * @param rows the values of each row in the order of the columns; null where there is none
 */
public record Table(List<String> columns, List<List<@Nullable Object>> rows) {
  private static final int WIDTH_MAX = 60;

  /** Copies the lists. */
  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /** A row that cannot be changed. */
  static List<@Nullable Object> row(@Nullable Object[] values) {
    List<@Nullable Object> row = new ArrayList<>(values.length);
    for (Object value : values) {
      row.add(value);
    }
    return Collections.unmodifiableList(row);
  }

  @Override
  public String toString() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(columns);
    rows.forEach(row -> lines.add(row.stream().map(Table::text).toList()));
    int[] widths = new int[columns.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    line(text, lines.getFirst(), widths);
    for (int i = 0; i < widths.length; i++) {
      text.append(i == 0 ? "" : "-+-").append("-".repeat(widths[i]));
    }
    text.append('\n');
    lines.stream().skip(1).forEach(line -> line(text, line, widths));
    return text.append(rows.size() == 1 ? "(1 row)" : "(%,d rows)".formatted(rows.size()))
        .toString();
  }

  private static void line(StringBuilder text, List<String> line, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      boolean last = i == widths.length - 1;
      text.append(i == 0 ? "" : " | ").append(line.get(i));
      text.append(last ? "" : " ".repeat(widths[i] - line.get(i).length()));
    }
    text.append('\n');
  }

  /** Values on one line, long ones cut short. */
  private static String text(@Nullable Object value) {
    String text = value == null ? "null" : DynamicValues.text(value);
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= WIDTH_MAX ? line : line.substring(0, WIDTH_MAX - 1) + "…";
  }
}
