package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A connection that merges, with its stages: tables that only it sees, in which rows wait for the
 * statement that merges them. One thread at a time uses it.
 */
final class Lane {
  private final Dialect dialect;
  private final Connection connection;
  private final Set<String> stages = new HashSet<>();
  private boolean empty = true;

  private Lane(Dialect dialect, Connection connection) {
    this.dialect = dialect;
    this.connection = connection;
  }

  /** A lane on a connection of its own. */
  static Lane open(Dialect dialect) throws SQLException {
    return new Lane(dialect, dialect.open());
  }

  /** The connection, with manual commits. */
  Connection connection() {
    return connection;
  }

  /** Puts rows into the stage of {@code table}, which is empty. */
  void stage(Table table, List<Row> rows) throws SQLException {
    String stage = Sql.stageName(dialect, table);
    if (stages.add(stage)) {
      dialect.createStage(connection, table, stage);
    }
    empty = false;
    dialect.stage(connection, table, stage, rows);
  }

  /** Merges the rows in the stage of {@code table}, which are {@code rows}, and empties it. */
  long merge(Table table, List<Row> rows) throws SQLException {
    long changed =
        dialect.merge(
            connection, table, Sql.stageName(dialect, table), rows, Sql.anyDeletion(rows));
    empty = true;
    return changed;
  }

  /** Whether no rows are in a stage. */
  boolean isEmpty() {
    return empty;
  }

  /** Gives up what is not committed, and the connection: a new one is in no odd state. */
  void drop() {
    try (connection) {
      connection.rollback();
    } catch (SQLException gone) {
      // It is of no use any more, and nobody uses it.
    }
  }
}
