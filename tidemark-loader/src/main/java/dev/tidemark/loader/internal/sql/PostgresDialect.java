package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Table.Column;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * PostgreSQL. Rows are copied into a temporary table and go from there in one INSERT … ON CONFLICT,
 * in the order of their keys, so that several loaders may write one table without deadlocks.
 */
public final class PostgresDialect implements Dialect {
  /** Classes of SQL states after which the same batch may succeed. */
  private static final Set<String> PASSING = Set.of("08", "40", "53", "55", "57", "58", "25", "XX");

  /**
   * Classes that speak of the data: also a key too long for an index (54), two rows with keys that
   * only PostgreSQL takes for one (21), a view that takes no such row (44), and what a trigger
   * refuses (09, 27, P0).
   */
  private static final Set<String> DATA = Set.of("09", "21", "22", "23", "27", "44", "54", "P0");

  /** A server that is alive reports a statement that took too long before this has passed too. */
  private static final Duration ANSWER_MARGIN = Duration.ofSeconds(5);

  /** Loaders that create or change tables wait for each other at this number. */
  private static final long DEFINITIONS = 0x7469_6465_6d61_726bL;

  private final DataSource connections;

  /** A warehouse behind {@code connections}. */
  public PostgresDialect(DataSource connections) {
    this.connections = connections;
  }

  @Override
  public String describe() {
    return "PostgreSQL";
  }

  @Override
  public Connection open() throws SQLException {
    Connection connection = connections.getConnection();
    try {
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException failure) {
      connection.close();
      throw failure;
    }
  }

  @Override
  public String typeName(ColumnType type) {
    return switch (type) {
      case TEXT -> "text";
      case INTEGER -> "bigint";
      case DOUBLE -> "double precision";
      case DECIMAL -> "numeric";
      case BOOLEAN -> "boolean";
      case TIMESTAMP -> "timestamp with time zone";
      case DATE -> "date";
      case BYTES -> "bytea";
    };
  }

  @Override
  public boolean takes(String actual, ColumnType type) {
    return actual.equalsIgnoreCase(typeName(type))
        || (type == ColumnType.TEXT && actual.equalsIgnoreCase("character varying"));
  }

  @Override
  public String keyQuery() {
    return """
    SELECT i.indexrelid, a.attname FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
    WHERE i.indisunique AND i.indpred IS NULL AND lower(c.relname) = lower(?)
    """;
  }

  @Override
  public void lockDefinitions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + DEFINITIONS + ")");
    }
  }

  @Override
  public void createStage(Connection connection, Table table, String stage) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMP TABLE IF NOT EXISTS %s (%s) ON COMMIT DELETE ROWS"
              .formatted(stage, Sql.stageColumns(this, table)));
    }
  }

  @Override
  public void stage(Connection connection, Table table, String stage, List<Row> rows)
      throws SQLException {
    CopyText text = new CopyText(table);
    rows.forEach(text::add);
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    try {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY " + stage + " FROM STDIN", new ByteArrayInputStream(bytes));
    } catch (IOException failure) {
      throw new SQLException("Rows cannot be sent", "08006", failure);
    }
  }

  @Override
  public long merge(
      Connection connection, Table table, String stage, List<Row> rows, boolean deletions)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      long deleted = deletions ? statement.executeUpdate(deleteSql(table, stage)) : 0;
      return deleted + statement.executeUpdate(insertSql(table, stage, deletions));
    }
  }

  private static String deleteSql(Table table, String stage) {
    return "DELETE FROM %s t USING %s s WHERE s.%s AND %s AND %s"
        .formatted(
            Sql.quoted(table.name()),
            stage,
            Sql.DELETED,
            Sql.joined(
                Sql.keys(table),
                " AND ",
                column -> "t.%1$s = s.%1$s".formatted(Sql.quoted(column.name()))),
            later("s", "t"));
  }

  private static String insertSql(Table table, String stage, boolean deletions) {
    List<Column> stored = table.storedColumns();
    String keys = Sql.listed(Sql.keys(table), "");
    return "INSERT INTO %s AS t (%s) SELECT %s FROM %s%s ORDER BY %s ON CONFLICT (%s) DO UPDATE SET %s WHERE %s"
        .formatted(
            Sql.quoted(table.name()),
            Sql.listed(stored, ""),
            Sql.listed(stored, ""),
            stage,
            deletions ? " WHERE NOT " + Sql.DELETED : "",
            Sql.joined(Sql.keys(table), ", ", PostgresDialect::ordered),
            keys,
            Sql.joined(
                Sql.updated(table),
                ", ",
                column -> "%1$s = excluded.%1$s".formatted(Sql.quoted(column.name()))),
            later("excluded", "t"));
  }

  /** Any order will do that all loaders share; that of bytes is the cheapest. */
  private static String ordered(Column column) {
    return Sql.quoted(column.name()) + (column.type() == ColumnType.TEXT ? " COLLATE \"C\"" : "");
  }

  /** Ids are compared by their bytes, as everywhere else, not by the collation of the database. */
  private static String later(String one, String other) {
    return "(%3$s.%1$s > %4$s.%1$s OR (%3$s.%1$s = %4$s.%1$s AND %3$s.%2$s COLLATE \"C\" > %4$s.%2$s COLLATE \"C\"))"
        .formatted(Sql.quoted(Table.PUBLISHED_AT), Sql.quoted(Table.MESSAGE_ID), one, other);
  }

  @Override
  public void limit(Connection connection, Duration limit) throws SQLException {
    long answer = limit.plus(ANSWER_MARGIN).toMillis();
    connection.setNetworkTimeout(Runnable::run, (int) Math.min(answer, Integer.MAX_VALUE));
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL statement_timeout = " + Math.max(1, limit.toMillis()));
    }
  }

  @Override
  public MergeOutcome outcomeOf(SQLException failure) {
    String state = state(failure);
    String message = "%s (SQL state %s)".formatted(failure.getMessage(), state);
    if (DATA.contains(state)) {
      return new MergeOutcome.Refused(message);
    }
    return PASSING.contains(state)
        ? new MergeOutcome.Unavailable(message)
        : new MergeOutcome.Impossible(message);
  }

  @Override
  public boolean maybeCommitted(SQLException failure) {
    return state(failure).equals("08") || state(failure).equals("57");
  }

  /** The class of a state; failures without one come from the connection. */
  private static String state(SQLException failure) {
    String state = failure.getSQLState();
    return state == null || state.length() < 2 ? "08" : state.substring(0, 2);
  }

  @Override
  public void close() {}
}
