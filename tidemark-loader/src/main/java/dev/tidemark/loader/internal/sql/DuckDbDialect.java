package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Table.Column;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB. Rows go through its appender into a temporary table, and from there in one MERGE, whose
 * range of the first time in the key keeps it from reading the rest of the table.
 */
public final class DuckDbDialect implements Dialect {
  private static final long MICROS = 1_000_000;

  private final Path file;
  private final DuckDBConnection root;

  /**
   * Opens the file, which is created if it is missing.
   *
   * @param threads how many DuckDB may use; 0 for its own choice
   * @param memoryMax how many bytes it may take; 0 for its own choice
   * @throws IllegalStateException if it cannot be opened
   */
  public DuckDbDialect(Path file, int threads, long memoryMax) {
    this.file = file;
    try {
      root =
          DriverManager.getConnection("jdbc:duckdb:" + file.toAbsolutePath())
              .unwrap(DuckDBConnection.class);
      limit(root, threads, memoryMax);
    } catch (SQLException failure) {
      throw new IllegalStateException(
          isInUse(failure)
              ? "The warehouse %s is in use by another process; DuckDB takes one process a file. Stop the other one, or use PostgreSQL for several loaders."
                  .formatted(file)
              : "The warehouse %s cannot be opened: %s".formatted(file, failure.getMessage()),
          failure);
    }
  }

  private static void limit(Connection connection, int threads, long memoryMax)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (threads > 0) {
        statement.execute("SET GLOBAL threads = " + threads);
      }
      if (memoryMax > 0) {
        statement.execute("SET GLOBAL memory_limit = '%d bytes'".formatted(memoryMax));
      }
    }
  }

  private static boolean isInUse(SQLException failure) {
    return message(failure).contains("lock on file");
  }

  @Override
  public String describe() {
    return "DuckDB " + file;
  }

  @Override
  public Connection open() throws SQLException {
    Connection connection = root.duplicate();
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public String typeName(ColumnType type) {
    return switch (type) {
      case TEXT -> "VARCHAR";
      case INTEGER -> "BIGINT";
      case DOUBLE -> "DOUBLE";
      case DECIMAL -> "DECIMAL(38,9)";
      case BOOLEAN -> "BOOLEAN";
      case TIMESTAMP -> "TIMESTAMP WITH TIME ZONE";
      case DATE -> "DATE";
      case BYTES -> "BLOB";
    };
  }

  @Override
  public boolean takes(String actual, ColumnType type) {
    return actual.equalsIgnoreCase(typeName(type));
  }

  @Override
  public String keyQuery() {
    return """
    SELECT constraint_index, unnest(constraint_column_names) FROM duckdb_constraints()
    WHERE database_name = current_database() AND schema_name = current_schema()
    AND lower(table_name) = lower(?) AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
    """;
  }

  /** All loaders of a file share this process, and each prepares its table before it begins. */
  @Override
  public void lockDefinitions(Connection connection) {}

  /** Each batch gets a stage of its own, see {@link #stage}. */
  @Override
  public void createStage(Connection connection, Table table, String stage) {}

  /**
   * Creates the stage with the rows, and the merge drops it: a table that is emptied by another
   * transaction than the one that filled it keeps the memory, and grows by every batch.
   */
  @Override
  public void stage(Connection connection, Table table, String stage, List<Row> rows)
      throws SQLException {
    execute(
        connection,
        "CREATE OR REPLACE TEMP TABLE %s (%s)".formatted(stage, Sql.stageColumns(this, table)));
    ColumnType[] types = table.columns().stream().map(Column::type).toArray(ColumnType[]::new);
    try (DuckDBAppender appender =
        connection.unwrap(DuckDBConnection.class).createAppender("temp", "main", stage)) {
      for (Row row : rows) {
        appender.beginRow();
        for (int i = 0; i < types.length; i++) {
          append(appender, types[i], row.value(i));
        }
        appender.appendEpochMicros(micros(row.message().publishedAt()));
        appender.append(row.message().id());
        appender.append(row.isDeletion());
        appender.endRow();
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void append(DuckDBAppender appender, ColumnType type, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      appender.appendNull();
      return;
    }
    switch (type) {
      case TEXT -> appender.append((String) value);
      case INTEGER -> appender.append(((Long) value).longValue());
      case DOUBLE -> appender.append(((Double) value).doubleValue());
      case DECIMAL -> appender.append((BigDecimal) value);
      case BOOLEAN -> appender.append(((Boolean) value).booleanValue());
      case TIMESTAMP -> appender.appendEpochMicros(micros((Instant) value));
      case DATE -> appender.append((LocalDate) value);
      case BYTES -> appender.append((byte[]) value);
    }
  }

  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), MICROS), instant.getNano() / 1_000);
  }

  @Override
  public long merge(
      Connection connection, Table table, String stage, List<Row> rows, boolean deletions)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      long changed = statement.executeUpdate(mergeSql(table, stage, rows, deletions));
      statement.execute("DROP TABLE " + stage);
      return changed;
    }
  }

  private static String mergeSql(Table table, String stage, List<Row> rows, boolean deletions) {
    String later =
        "(s.%1$s > t.%1$s OR (s.%1$s = t.%1$s AND s.%2$s > t.%2$s))"
            .formatted(Sql.quoted(Table.PUBLISHED_AT), Sql.quoted(Table.MESSAGE_ID));
    return "MERGE INTO %s t USING %s s ON %s%s%s WHEN MATCHED AND %s THEN UPDATE SET %s WHEN NOT MATCHED%s THEN INSERT (%s) VALUES (%s)"
        .formatted(
            Sql.quoted(table.name()),
            stage,
            Sql.joined(
                Sql.keys(table), " AND ", column -> "t.%1$s = s.%1$s".formatted(quoted(column))),
            range(table, rows).orElse(""),
            deletions
                ? " WHEN MATCHED AND s.%s AND %s THEN DELETE".formatted(Sql.DELETED, later)
                : "",
            later,
            Sql.joined(
                Sql.updated(table), ", ", column -> "%1$s = s.%1$s".formatted(quoted(column))),
            deletions ? " AND NOT s." + Sql.DELETED : "",
            Sql.listed(table.storedColumns(), ""),
            Sql.listed(table.storedColumns(), "s."));
  }

  private static String quoted(Column column) {
    return Sql.quoted(column.name());
  }

  /** The range of the first time in the key, if there is one. */
  private static Optional<String> range(Table table, List<Row> rows) {
    return table.keyColumns().stream()
        .filter(column -> table.columns().get(column).type() == ColumnType.TIMESTAMP)
        .findFirst()
        .map(
            column -> {
              Instant first = Instant.MAX;
              Instant last = Instant.MIN;
              for (Row row : rows) {
                Instant at = (Instant) row.value(column);
                if (at != null) {
                  first = at.isBefore(first) ? at : first;
                  last = at.isAfter(last) ? at : last;
                }
              }
              return " AND t.%s BETWEEN make_timestamptz(%d) AND make_timestamptz(%d)"
                  .formatted(quoted(table.columns().get(column)), micros(first), micros(last));
            });
  }

  /** DuckDB has no time-outs; a merge of one batch takes milliseconds. */
  @Override
  public void limit(Connection connection, Duration limit) {}

  /** DuckDB says what went wrong in the first words of its messages only. */
  @Override
  public MergeOutcome outcomeOf(SQLException failure) {
    String message = message(failure);
    if (message.contains("database has been invalidated")) {
      return new MergeOutcome.Impossible(
          "The warehouse %s has to be closed and opened again: %s".formatted(file, message));
    }
    for (String kind :
        List.of("Constraint Error", "Conversion Error", "Out of Range Error", "Invalid Input")) {
      if (message.contains(kind)) {
        return isConflict(message)
            ? new MergeOutcome.Unavailable(message)
            : new MergeOutcome.Refused(message);
      }
    }
    for (String kind :
        List.of("Catalog Error", "Binder Error", "Permission Error", "Parser Error")) {
      if (message.contains(kind)) {
        return new MergeOutcome.Impossible(message);
      }
    }
    return new MergeOutcome.Unavailable(message);
  }

  private static boolean isConflict(String message) {
    return message.contains("Conflict on") || message.contains("write-write conflict");
  }

  /** The database is in this process: a commit that fails was not made, unless the disk failed. */
  @Override
  public boolean maybeCommitted(SQLException failure) {
    String message = message(failure);
    return message.contains("IO Error") || message.contains("FATAL");
  }

  private static String message(SQLException failure) {
    return String.valueOf(failure.getMessage());
  }

  @Override
  public void close() {
    try {
      root.close();
    } catch (SQLException failure) {
      throw new IllegalStateException("The warehouse %s does not close".formatted(file), failure);
    }
  }
}
