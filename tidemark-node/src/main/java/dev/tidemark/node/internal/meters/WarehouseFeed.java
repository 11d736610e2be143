package dev.tidemark.node.internal.meters;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.StreamSource;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TableMapping;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.Pulse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Loads saved readings into a DuckDB file, a batch at a time. */
final class WarehouseFeed implements AutoCloseable {
  private static final Duration BATCH_AGE = Duration.ofSeconds(1);

  private static final TableMapping READINGS =
      TableMapping.table("readings")
          .attribute("point_id", ColumnType.INTEGER, Table.Role.KEY)
          .attribute("timestamp", ColumnType.INTEGER, Table.Role.KEY)
          .attribute("power", ColumnType.INTEGER, Table.Role.REQUIRED)
          .build();

  private final Path file;
  private final StreamSource source;
  private final DuckDbWarehouse warehouse;
  private final Loader loader;
  private final Thread thread;

  WarehouseFeed(Path file, Pulse pulse) {
    this.file = file;
    this.source =
        StreamSource.open(
            Follower.stream(pulse), "warehouse", o -> o.withAttributes(WarehouseFeed::attributes));
    this.warehouse = DuckDbWarehouse.open(file);
    this.loader =
        Loader.open(
            source,
            warehouse,
            READINGS,
            warehouse,
            o -> o.withTablePolicy(Table.Policy.CREATE).withBatchAge(BATCH_AGE));
    this.thread = Thread.ofVirtual().name("meter-warehouse").start(this::load);
  }

  private void load() {
    LoadResult result = loader.runForEver();
    if (!result.successful()) {
      System.getLogger(WarehouseFeed.class.getName())
          .log(System.Logger.Level.ERROR, "The warehouse is no longer loaded: " + result.ending());
    }
  }

  private static Map<String, String> attributes(Event event) {
    Optional<Message> message = Message.parse(event.payload());
    return message
        .map(
            found ->
                Map.of(
                    "point_id", Long.toString(found.meter()),
                    "timestamp", Long.toString(found.timestamp()),
                    "power", Long.toString(found.power())))
        .orElse(Map.of());
  }

  Path file() {
    return file;
  }

  /** The rows of the table, and the sum of their power. */
  record Totals(long rows, long watts) {}

  Totals totals() {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement()) {
      long[] tables =
          row(statement, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'readings'", 1);
      if (tables[0] == 0) {
        return new Totals(0, 0);
      }
      long[] totals = row(statement, "SELECT count(*), coalesce(sum(power), 0) FROM readings", 2);
      return new Totals(totals[0], totals[1]);
    } catch (SQLException failed) {
      throw new IllegalStateException("The warehouse in " + file + " cannot be asked", failed);
    }
  }

  private static long[] row(Statement statement, String query, int columns) throws SQLException {
    try (ResultSet found = statement.executeQuery(query)) {
      found.next();
      long[] values = new long[columns];
      for (int i = 0; i < columns; i++) {
        values[i] = found.getLong(i + 1);
      }
      return values;
    }
  }

  @Override
  public void close() {
    loader.close();
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    warehouse.close();
    source.close();
  }
}
