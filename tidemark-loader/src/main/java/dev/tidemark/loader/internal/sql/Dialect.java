package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What differs between warehouses that speak SQL. */
public interface Dialect extends AutoCloseable {
  /** What people call the warehouse, with its place. */
  String describe();

  /** A connection with manual commits. */
  Connection open() throws SQLException;

  /** The name of a column type in statements. */
  String typeName(ColumnType type);

  /** Whether a column of the type that the warehouse calls {@code actual} takes values of it. */
  boolean takes(String actual, ColumnType type);

  /** The query of which each row is a column of a key of the table {@code ?}. */
  String keyQuery();

  /** Has others wait who create or change tables, until the transaction under way ends. */
  void lockDefinitions(Connection connection) throws SQLException;

  /** Creates the table that rows of {@code table} wait in; it belongs to the connection. */
  void createStage(Connection connection, Table table, String stage) throws SQLException;

  /** Puts rows into the stage, which has none. */
  void stage(Connection connection, Table table, String stage, List<Row> rows) throws SQLException;

  /**
   * Merges the stage, which has no rows then; returns how many rows changed, or -1 if that is not
   * known.
   *
   * @param deletions whether there are deletions among the rows
   */
  long merge(Connection connection, Table table, String stage, List<Row> rows, boolean deletions)
      throws SQLException;

  /** Limits how long the statements of the transaction under way may take, and their answers. */
  void limit(Connection connection, Duration limit) throws SQLException;

  /** What a failed statement means; the transaction has been rolled back. */
  MergeOutcome outcomeOf(SQLException failure);

  /** Whether a commit that failed so may have been made. */
  boolean maybeCommitted(SQLException failure);

  @Override
  void close();
}
