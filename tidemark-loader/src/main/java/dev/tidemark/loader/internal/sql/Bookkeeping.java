package dev.tidemark.loader.internal.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;

/**
 * What a warehouse knows about jobs and positions, in tables of its own.
 *
 * <p>A job registers its id in the transaction that merges its rows. To learn its outcome, one
 * inserts the same id, marked as not merged: the insert waits for a transaction under way, and if
 * the id was free, the job can never be merged any more. So the reply is final.
 */
final class Bookkeeping {
  static final int MERGES_BETWEEN_CLEANING = 1_000;

  static final String POSITION = "SELECT place FROM tidemark_positions WHERE source = ?";

  private static final String JOBS =
      """
      CREATE TABLE IF NOT EXISTS tidemark_jobs (job VARCHAR(36) PRIMARY KEY, source VARCHAR NOT NULL,
      row_count BIGINT NOT NULL, merged BOOLEAN NOT NULL, loaded_at TIMESTAMPTZ NOT NULL)
      """;

  private static final String POSITIONS =
      """
      CREATE TABLE IF NOT EXISTS tidemark_positions (source VARCHAR PRIMARY KEY,
      place VARCHAR NOT NULL, moved_at TIMESTAMPTZ NOT NULL)
      """;

  private static final String REGISTER =
      "INSERT INTO tidemark_jobs VALUES (?, ?, ?, ?, now()) ON CONFLICT (job) DO NOTHING";

  private static final String MERGED = "SELECT merged FROM tidemark_jobs WHERE job = ?";

  private static final String MOVE =
      """
      INSERT INTO tidemark_positions VALUES (?, ?, now())
      ON CONFLICT (source) DO UPDATE SET place = excluded.place, moved_at = excluded.moved_at
      """;

  private static final String FORGET =
      "DELETE FROM tidemark_jobs WHERE loaded_at < now() - INTERVAL '1 day'";

  private Bookkeeping() {}

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(JOBS);
      statement.execute(POSITIONS);
    }
  }

  /** Registers a job; if its id is known already, returns whether the job was merged. */
  static Optional<Boolean> register(Connection connection, UUID job, String source, int rows)
      throws SQLException {
    return insert(connection, job, source, rows, true)
        ? Optional.empty()
        : Optional.of(isMerged(connection, job));
  }

  /** Whether the job was merged. If not, it never will be. */
  static boolean fence(Connection connection, UUID job) throws SQLException {
    return !insert(connection, job, "", 0, false) && isMerged(connection, job);
  }

  private static boolean insert(
      Connection connection, UUID job, String source, int rows, boolean merged)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(REGISTER)) {
      insert.setString(1, job.toString());
      insert.setString(2, source);
      insert.setLong(3, rows);
      insert.setBoolean(4, merged);
      return insert.executeUpdate() == 1;
    }
  }

  private static boolean isMerged(Connection connection, UUID job) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(MERGED)) {
      query.setString(1, job.toString());
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() && rows.getBoolean(1);
      }
    }
  }

  static void moveTo(Connection connection, String source, String place) throws SQLException {
    try (PreparedStatement move = connection.prepareStatement(MOVE)) {
      move.setString(1, source);
      move.setString(2, place);
      move.executeUpdate();
    }
  }

  static void forgetOldJobs(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(FORGET);
    }
  }
}
