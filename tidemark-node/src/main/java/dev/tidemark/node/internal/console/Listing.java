package dev.tidemark.node.internal.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rows with named columns, printed as a table for people or as JSON for scripts. */
public final class Listing {
  private final List<String> columns;
  private final List<List<Object>> rows = new ArrayList<>();

  /** No rows yet. */
  public Listing(String... columns) {
    this.columns = List.of(columns);
  }

  /** Adds a row. An empty optional is a dash, and null in JSON. */
  public Listing add(Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          "%d values for %d columns".formatted(values.length, columns.size()));
    }
    rows.add(List.of(values));
    return this;
  }

  /** The rows below the names of the columns. */
  public String table() {
    int[] widths = new int[columns.size()];
    List<List<String>> cells = new ArrayList<>();
    cells.add(
        columns.stream().map(name -> name.replace('_', '-').toUpperCase(Locale.ROOT)).toList());
    rows.forEach(row -> cells.add(row.stream().map(Listing::text).toList()));
    for (List<String> row : cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder table = new StringBuilder();
    for (List<String> row : cells) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      table.append(line.toString().stripTrailing()).append('\n');
    }
    return table.toString();
  }

  private static String text(Object value) {
    return value instanceof Optional<?> optional
        ? optional.map(Object::toString).orElse("-")
        : value.toString();
  }

  /** The rows as objects, one a line. */
  public String jsonLines() {
    return objects().stream().map(row -> Json.of(row) + "\n").collect(Collectors.joining());
  }

  private List<Map<String, Object>> objects() {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (List<Object> row : rows) {
      Map<String, Object> object = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        object.put(columns.get(i), row.get(i));
      }
      objects.add(object);
    }
    return objects;
  }
}
