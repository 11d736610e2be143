package dev.tidemark.bench.loader;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.postgresql.PGConnection;

/**
 * The fastest ways found to upsert measurements in batches with nothing around them: no queue, no
 * acknowledgement, no order of publications.
 */
final class BareUpsert {
  /** More rows a batch are hardly faster, and fewer are slower. */
  static final int BATCH = 16_000;

  private static final String COLUMNS =
      "(point_id VARCHAR, measured_at TIMESTAMPTZ, power BIGINT%s)";
  private static final String KEY = ", PRIMARY KEY (point_id, measured_at)";

  private BareUpsert() {}

  private interface Step {
    void run(int from, int to) throws Exception;
  }

  /** Rows a second with DuckDB's appender, a temporary table and one statement a batch. */
  static double duckDb(Connection connection, int rows, boolean merge) throws Exception {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE bare " + COLUMNS.formatted(KEY));
      statement.execute("CREATE TEMP TABLE stage " + COLUMNS.formatted(""));
      connection.commit();
      return perSecond(
          rows,
          (from, to) -> {
            try (DuckDBAppender appender =
                connection.unwrap(DuckDBConnection.class).createAppender("temp", "main", "stage")) {
              for (int i = from; i < to; i++) {
                appender.beginRow();
                appender.append(Measurements.point(i));
                appender.appendEpochMicros(Measurements.epochMicros(i));
                appender.append(Measurements.power(i));
                appender.endRow();
              }
            }
            statement.executeUpdate(merge ? merge(from, to) : insert());
            statement.execute("TRUNCATE stage");
            connection.commit();
          });
    }
  }

  private static String merge(int from, int to) {
    return "MERGE INTO bare t USING stage s ON t.point_id = s.point_id AND t.measured_at = s.measured_at AND t.measured_at BETWEEN make_timestamptz(%d) AND make_timestamptz(%d) WHEN MATCHED THEN UPDATE SET power = s.power WHEN NOT MATCHED THEN INSERT VALUES (s.point_id, s.measured_at, s.power)"
        .formatted(Measurements.epochMicros(from), Measurements.epochMicros(to - 1));
  }

  private static String insert() {
    return "INSERT INTO bare SELECT * FROM stage ON CONFLICT (point_id, measured_at) DO UPDATE SET"
        + " power = excluded.power";
  }

  /** Rows a second with a MERGE of its own for each row, committed by the batch. */
  static double duckDbRowByRow(Connection connection, int rows) throws Exception {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE by_row " + COLUMNS.formatted(KEY));
      connection.commit();
    }
    try (PreparedStatement merge =
        connection.prepareStatement(
            "MERGE INTO by_row t USING (SELECT ?::VARCHAR AS p, make_timestamptz(?::BIGINT) AS m,"
                + " ?::BIGINT AS w) s ON t.point_id = s.p AND t.measured_at = s.m WHEN MATCHED THEN"
                + " UPDATE SET power = s.w WHEN NOT MATCHED THEN INSERT VALUES (s.p, s.m, s.w)")) {
      return perSecond(
          rows,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              merge.setString(1, Measurements.point(i));
              merge.setLong(2, Measurements.epochMicros(i));
              merge.setLong(3, Measurements.power(i));
              merge.executeUpdate();
            }
            connection.commit();
          });
    }
  }

  /** Rows a second with PostgreSQL's COPY into a temporary table and INSERT … ON CONFLICT. */
  static double postgres(Connection connection, int rows) throws Exception {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE bare " + COLUMNS.formatted(KEY));
      statement.execute(
          "CREATE TEMP TABLE stage " + COLUMNS.formatted("") + " ON COMMIT DELETE ROWS");
      connection.commit();
      return perSecond(
          rows,
          (from, to) -> {
            StringBuilder text = new StringBuilder();
            for (int i = from; i < to; i++) {
              text.append(Measurements.point(i)).append('\t');
              text.append(
                      Instant.ofEpochSecond(Measurements.epochMicros(i) / 1_000_000)
                          .atOffset(ZoneOffset.UTC))
                  .append('\t');
              text.append(Measurements.power(i)).append('\n');
            }
            connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(
                    "COPY stage FROM STDIN",
                    new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
            statement.executeUpdate(insert());
            connection.commit();
          });
    }
  }

  private static double perSecond(int rows, Step step) throws Exception {
    long begin = System.nanoTime();
    for (int from = 0; from < rows; from += BATCH) {
      step.run(from, Math.min(from + BATCH, rows));
    }
    return rows * 1e9 / (System.nanoTime() - begin);
  }
}
