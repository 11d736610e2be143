package dev.tidemark.node.internal.meters;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.RecordTable;
import dev.tidemark.loader.TableMismatchException;
import dev.tidemark.loader.TableSync;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Keeps a table of a DuckDB file in step with the saved readings, by their change stream. */
final class WarehouseFeed implements AutoCloseable {
  private static final Subspace READER = Subspace.of("demo", "reader");
  private static final Duration HEARTBEAT = Duration.ofMillis(500);
  private static final RecordTable READINGS =
      RecordTable.of(Reading_.TYPE.spec()).withName("readings");

  private final Path file;
  private final DuckDbWarehouse warehouse;
  private final TableSync sync;
  private final Connection questions;

  /**
   * Opens the warehouse in {@code file} and begins to follow.
   *
   * @throws MeterDemoException if the file is in use, or is no warehouse of the demo
   */
  WarehouseFeed(Path file, Database database, GridStore grid) {
    this.file = file;
    try {
      this.warehouse = DuckDbWarehouse.open(file);
    } catch (IllegalStateException unusable) {
      throw new MeterDemoException(String.valueOf(unusable.getMessage()), unusable);
    }
    try {
      this.sync =
          TableSync.start(
              RecordChangeSource.of(grid.space(), Grid.STREAM),
              MetadataStore.in(database, READER),
              READINGS,
              warehouse,
              options -> options.withHeartbeat(HEARTBEAT));
      this.questions = DriverManager.getConnection("jdbc:duckdb:" + file);
    } catch (TableMismatchException | SQLException | IllegalStateException unusable) {
      warehouse.close();
      throw new MeterDemoException(
          "The warehouse %s cannot be used: %s".formatted(file, unusable.getMessage()), unusable);
    }
  }

  Path file() {
    return file;
  }

  /** Why nothing more reaches the warehouse, if so. */
  Optional<String> failure() {
    return sync.endReason().map(Object::toString);
  }

  /** How many rows the table has. */
  long rows() {
    try (Statement statement = questions.createStatement();
        ResultSet found = statement.executeQuery("SELECT count(*) FROM readings")) {
      found.next();
      return found.getLong(1);
    } catch (SQLException failed) {
      throw unanswered(failed);
    }
  }

  /** What the table has, by meter. */
  SortedMap<Long, Totals> totals() {
    SortedMap<Long, Totals> totals = new TreeMap<>();
    try (Statement statement = questions.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT meter, count(*), sum(power), sum(timestamp) FROM readings GROUP BY meter")) {
      while (found.next()) {
        totals.put(
            found.getLong(1), new Totals(found.getLong(2), found.getLong(3), found.getLong(4)));
      }
      return totals;
    } catch (SQLException failed) {
      throw unanswered(failed);
    }
  }

  private IllegalStateException unanswered(SQLException failed) {
    return new IllegalStateException("The warehouse in " + file + " cannot be asked", failed);
  }

  @Override
  public void close() {
    sync.close();
    try {
      questions.close();
    } catch (SQLException gone) {
      // Nobody asks any more.
    }
    warehouse.close();
  }
}
