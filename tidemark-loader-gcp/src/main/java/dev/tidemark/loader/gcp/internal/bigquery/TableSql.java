package dev.tidemark.loader.gcp.internal.bigquery;

import com.google.cloud.bigquery.StandardSQLTypeName;
import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Table.Column;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The statements of one table: its DDL, the procedure that merges a batch into it, and the call.
 *
 * <p>The procedure takes an array of structs. Moments are microseconds in it, which are half as
 * long as their texts. It removes duplicates itself too: MERGE would insert both rows of a new key,
 * since BigQuery enforces no keys. The range of moments of the batch keeps it from reading
 * partitions that the batch does not touch.
 */
public final class TableSql {
  /** The name of the procedure's argument and of the query parameter. */
  public static final String ARGUMENT = "batch";

  private static final int CLUSTER_COLUMNS_MAX = 4;

  private final String dataset;
  private final Table table;

  /**
   * The statements of {@code table} in a dataset.
   *
   * @param dataset the project and the dataset, with a point between
   */
  public TableSql(String dataset, Table table) {
    this.dataset = dataset;
    this.table = table;
  }

  /** The procedure's name: {@code insert_instant_data} for {@code instant_data}. */
  public static String procedure(Table table) {
    return "insert_" + table.name();
  }

  /** The type of a column in the table. */
  public static StandardSQLTypeName typeOf(ColumnType type) {
    return switch (type) {
      case TEXT -> StandardSQLTypeName.STRING;
      case INTEGER -> StandardSQLTypeName.INT64;
      case DOUBLE -> StandardSQLTypeName.FLOAT64;
      case DECIMAL -> StandardSQLTypeName.NUMERIC;
      case BOOLEAN -> StandardSQLTypeName.BOOL;
      case TIMESTAMP -> StandardSQLTypeName.TIMESTAMP;
      case DATE -> StandardSQLTypeName.DATE;
      case BYTES -> StandardSQLTypeName.BYTES;
    };
  }

  /** The type of a column in the procedure's argument. */
  public static StandardSQLTypeName argumentTypeOf(ColumnType type) {
    return type == ColumnType.TIMESTAMP ? StandardSQLTypeName.INT64 : typeOf(type);
  }

  /** Creates the table, by day of its first moment in the key and clustered by the other keys. */
  public String createTable() {
    StringBuilder sql =
        new StringBuilder("CREATE TABLE IF NOT EXISTS %s (\n".formatted(name(table.name())));
    sql.append(
        joined(
            table.storedColumns(),
            ",\n",
            column ->
                "  %s %s%s"
                    .formatted(
                        quoted(column),
                        typeOf(column.type()),
                        column.role() == Table.Role.OPTIONAL ? "" : " NOT NULL")));
    sql.append("\n)");
    firstMoment()
        .ifPresent(column -> sql.append("\nPARTITION BY DATE(%s)".formatted(quoted(column))));
    List<Column> others =
        keys().stream()
            .filter(column -> firstMoment().filter(column::equals).isEmpty())
            .limit(CLUSTER_COLUMNS_MAX)
            .toList();
    if (!others.isEmpty()) {
      sql.append("\nCLUSTER BY ").append(joined(others, ", ", TableSql::quoted));
    }
    return sql.append(";\n").toString();
  }

  /** Adds a column. Rows that are there have no value, so that it cannot be NOT NULL. */
  public String addColumn(Column column) {
    return "ALTER TABLE %s ADD COLUMN IF NOT EXISTS %s %s;\n"
        .formatted(name(table.name()), quoted(column), typeOf(column.type()));
  }

  /** Creates or replaces the procedure. */
  public String createProcedure() {
    StringBuilder sql = new StringBuilder();
    sql.append("CREATE OR REPLACE PROCEDURE %s(\n".formatted(name(procedure(table))));
    sql.append("  %s ARRAY<STRUCT<\n".formatted(ARGUMENT));
    sql.append(
        joined(
            table.storedColumns(),
            ",\n",
            column -> "    %s %s".formatted(quoted(column), argumentTypeOf(column.type()))));
    sql.append(">>)\nBEGIN\n");
    firstMoment().ifPresent(column -> sql.append(bound("first", column)));
    firstMoment().ifPresent(column -> sql.append(bound("last", column)));
    sql.append(merge());
    return sql.append("END;\n").toString();
  }

  private static String bound(String which, Column column) {
    return "  DECLARE %s_moment TIMESTAMP DEFAULT (\n    SELECT TIMESTAMP_MICROS(%s(r.%s)) FROM UNNEST(%s) AS r);\n"
        .formatted(which, which.equals("first") ? "MIN" : "MAX", quoted(column), ARGUMENT);
  }

  private String merge() {
    String published = "`" + Table.PUBLISHED_AT + "`";
    String id = "`" + Table.MESSAGE_ID + "`";
    List<Column> stored = table.storedColumns();
    return """
          MERGE INTO %s AS t
          USING (
            SELECT
        %s
            FROM UNNEST(%s) AS r
            WHERE TRUE
            QUALIFY ROW_NUMBER() OVER (
              PARTITION BY %s ORDER BY r.%s DESC, r.%s DESC) = 1
          ) AS s
          ON %s%s
          WHEN MATCHED AND (
            t.%5$s IS NULL OR s.%5$s > t.%5$s
            OR (s.%5$s = t.%5$s AND s.%6$s > t.%6$s)) THEN
            UPDATE SET
        %s
          WHEN NOT MATCHED THEN
            INSERT (%s)
            VALUES (%s);
        """
        .formatted(
            name(table.name()),
            joined(stored, ",\n", column -> "      " + read(column)),
            ARGUMENT,
            joined(keys(), ", ", column -> "r." + quoted(column)),
            published,
            id,
            joined(keys(), " AND ", column -> "t.%1$s = s.%1$s".formatted(quoted(column))),
            firstMoment()
                .map(
                    column ->
                        "\n    AND t.%s BETWEEN first_moment AND last_moment"
                            .formatted(quoted(column)))
                .orElse(""),
            joined(
                stored.stream().filter(column -> !column.isKey()).toList(),
                ",\n",
                column -> "      %1$s = s.%1$s".formatted(quoted(column))),
            joined(stored, ", ", TableSql::quoted),
            joined(stored, ", ", column -> "s." + quoted(column)));
  }

  private static String read(Column column) {
    return column.type() == ColumnType.TIMESTAMP
        ? "TIMESTAMP_MICROS(r.%1$s) AS %1$s".formatted(quoted(column))
        : "r." + quoted(column);
  }

  /** Calls the procedure. */
  public String call() {
    return "CALL %s(@%s)".formatted(name(procedure(table)), ARGUMENT);
  }

  private String name(String what) {
    return "`%s.%s`".formatted(dataset, what);
  }

  private List<Column> keys() {
    return table.keyColumns().stream().map(table.columns()::get).toList();
  }

  private Optional<Column> firstMoment() {
    return keys().stream().filter(column -> column.type() == ColumnType.TIMESTAMP).findFirst();
  }

  private static String quoted(Column column) {
    return "`" + column.name() + "`";
  }

  private static String joined(
      List<Column> columns, String separator, Function<Column, String> text) {
    return columns.stream().map(text).collect(Collectors.joining(separator));
  }
}
