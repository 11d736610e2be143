package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Table.Column;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Parts of statements that warehouses share. Names are plain: only keywords need quotes. */
final class Sql {
  /** The column of a stage that marks deletions. */
  static final String DELETED = "_deleted";

  private Sql() {}

  static String quoted(String name) {
    return '"' + name + '"';
  }

  static String listed(List<Column> columns, String prefix) {
    return joined(columns, ", ", column -> prefix + quoted(column.name()));
  }

  static String joined(List<Column> columns, String separator, Function<Column, String> each) {
    return columns.stream().map(each).collect(Collectors.joining(separator));
  }

  static List<Column> keys(Table table) {
    return table.columns().stream().filter(Column::isKey).toList();
  }

  /** All stored columns that an update changes. */
  static List<Column> updated(Table table) {
    return table.storedColumns().stream().filter(column -> !column.isKey()).toList();
  }

  static String definition(Dialect dialect, Column column) {
    boolean required = column.role() != Table.Role.OPTIONAL;
    return quoted(column.name())
        + " "
        + dialect.typeName(column.type())
        + (required ? " NOT NULL" : "");
  }

  static String create(Dialect dialect, Table table) {
    return "CREATE TABLE %s (%s, PRIMARY KEY (%s))"
        .formatted(
            quoted(table.name()),
            joined(table.storedColumns(), ", ", column -> definition(dialect, column)),
            listed(keys(table), ""));
  }

  /** The columns of a stage: values may be missing where a row is a deletion. */
  static String stageColumns(Dialect dialect, Table table) {
    return joined(
            table.storedColumns(),
            ", ",
            column -> quoted(column.name()) + " " + dialect.typeName(column.type()))
        + ", "
        + quoted(DELETED)
        + " BOOLEAN";
  }

  /**
   * The stage of {@code table} as it is: a connection that comes back from a pool may have one of
   * when the table had fewer columns.
   */
  static String stageName(Dialect dialect, Table table) {
    return "tidemark_stage_%08x"
        .formatted((table.name() + stageColumns(dialect, table)).hashCode());
  }

  static boolean anyDeletion(List<Row> rows) {
    return rows.stream().anyMatch(Row::isDeletion);
  }
}
