package dev.tidemark.records.query;

import dev.tidemark.records.internal.format.DynamicValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Formats rows as a table, with a line for each, in bounded memory. Columns are as wide as the
 * first thousand rows need; a later row may be wider.
 */
final class TableWriter {
  private static final int WIDTH_MAX = 60;

  /** The width of a column without others beside it, such as the lines of EXPLAIN. */
  private static final int ALONE_MAX = 4_000;

  private static final int SAMPLE = 1_000;

  private final List<String> columns;
  private final int sample;
  private final Consumer<String> out;
  private final List<List<String>> first = new ArrayList<>();
  private final int[] widths;
  private long rows;
  private boolean begun;

  TableWriter(List<String> columns, int sample, Consumer<String> out) {
    this.columns = List.copyOf(columns);
    this.sample = sample;
    this.out = out;
    this.widths = new int[columns.size()];
    widen(this.columns);
  }

  /** Shows rows with {@code columns}, line by line, to {@code out}. */
  static TableWriter to(Consumer<String> out, List<String> columns) {
    return new TableWriter(columns, SAMPLE, out);
  }

  /** Shows one more row. */
  void add(List<@Nullable Object> row) {
    List<String> line = row.stream().map(this::text).toList();
    rows++;
    if (begun) {
      out.accept(line(line));
      return;
    }
    first.add(line);
    widen(line);
    if (first.size() >= sample) {
      begin();
    }
  }

  private void widen(List<String> line) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], line.get(i).length());
    }
  }

  private void begin() {
    begun = true;
    out.accept(line(columns));
    StringBuilder rule = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      rule.append(i == 0 ? "" : "-+-").append("-".repeat(widths[i]));
    }
    out.accept(rule.toString());
    first.forEach(line -> out.accept(line(line)));
    first.clear();
  }

  private String line(List<String> line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      boolean last = i == widths.length - 1;
      text.append(i == 0 ? "" : " | ").append(line.get(i));
      text.append(last ? "" : " ".repeat(Math.max(0, widths[i] - line.get(i).length())));
    }
    return text.toString();
  }

  /** A value on one line, shortened if it is long. */
  private String text(@Nullable Object value) {
    int max = widths.length == 1 ? ALONE_MAX : WIDTH_MAX;
    String text = value == null ? "null" : DynamicValues.text(value);
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= max ? line : line.substring(0, max - 1) + "…";
  }

  /** Shows what is left, and how many rows there were. */
  void end() {
    if (!begun) {
      begin();
    }
    out.accept(rows == 1 ? "(1 row)" : "(%,d rows)".formatted(rows));
  }
}
