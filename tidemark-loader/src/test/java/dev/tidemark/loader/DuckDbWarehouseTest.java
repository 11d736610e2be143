package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UsageException;
import dev.tidemark.loader.internal.sql.Dialect;
import dev.tidemark.loader.internal.sql.DuckDbDialect;
import dev.tidemark.loader.internal.sql.SqlWarehouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckDbWarehouseTest extends WarehouseSuite {
  @TempDir private Path directory;
  private DuckDbWarehouse warehouse;

  @BeforeEach
  void open() {
    warehouse = DuckDbWarehouse.open(directory.resolve("warehouse.duckdb"));
  }

  @AfterEach
  void close() {
    warehouse.close();
    warehouse.close();
  }

  @Override
  Warehouse warehouse() {
    return warehouse;
  }

  /** DuckDB takes one process a file: two loaders of a process share the warehouse. */
  @Override
  Warehouse secondWarehouse() {
    return warehouse;
  }

  @Override
  Warehouse another() {
    return DuckDbWarehouse.open(directory.resolve("warehouse.duckdb"));
  }

  @Override
  Connection connection() throws SQLException {
    return DriverManager.getConnection("jdbc:duckdb:" + directory.resolve("warehouse.duckdb"));
  }

  @Test
  void fileThatCannotBeOpenedIsNamed() throws IOException {
    Path garbage = Files.writeString(directory.resolve("garbage"), "no database".repeat(1_000));

    assertThatThrownBy(() -> DuckDbWarehouse.open(garbage))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(garbage.toString());
    assertThatThrownBy(() -> DuckDbWarehouse.open(directory.resolve("no/such/directory/file")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be opened");
  }

  @Test
  void threadsAndMemoryAreLimited() throws SQLException {
    Path file = directory.resolve("limited.duckdb");
    try (DuckDbWarehouse limited =
            DuckDbWarehouse.open(file, o -> o.withThreads(1).withMemoryMax(64_000_000));
        Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT current_setting('threads'), current_setting('memory_limit')")) {
      limited.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
      assertThat(found.next()).isTrue();
      assertThat(found.getLong(1)).isOne();
      assertThat(found.getString(2)).isEqualTo("61.0 MiB");
    }
    assertThatThrownBy(() -> DuckDbWarehouse.open(file, o -> o.withThreads(0)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("0 were given");
    assertThatThrownBy(() -> DuckDbWarehouse.open(file, o -> o.withMemoryMax(1_000)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("16,000,000 at least");
  }

  /** DuckDB, with the number of times that rows were put into a stage. */
  private static final class CountedStages implements Dialect {
    private final DuckDbDialect real;
    private final AtomicInteger stages = new AtomicInteger();

    CountedStages(DuckDbDialect real) {
      this.real = real;
    }

    @Override
    public void stage(Connection connection, Table table, String stage, List<Row> rows)
        throws SQLException {
      stages.incrementAndGet();
      real.stage(connection, table, stage, rows);
    }

    @Override
    public String describe() {
      return real.describe();
    }

    @Override
    public Connection open() throws SQLException {
      return real.open();
    }

    @Override
    public String typeName(ColumnType type) {
      return real.typeName(type);
    }

    @Override
    public boolean takes(String actual, ColumnType type) {
      return real.takes(actual, type);
    }

    @Override
    public String keyQuery() {
      return real.keyQuery();
    }

    @Override
    public void lockDefinitions(Connection connection) {
      real.lockDefinitions(connection);
    }

    @Override
    public void createStage(Connection connection, Table table, String stage) throws SQLException {
      real.createStage(connection, table, stage);
    }

    @Override
    public long merge(
        Connection connection, Table table, String stage, List<Row> rows, boolean deletions)
        throws SQLException {
      return real.merge(connection, table, stage, rows, deletions);
    }

    @Override
    public void limit(Connection connection, Duration limit) {
      real.limit(connection, limit);
    }

    @Override
    public MergeOutcome outcomeOf(SQLException failure) {
      return real.outcomeOf(failure);
    }

    @Override
    public boolean maybeCommitted(SQLException failure) {
      return real.maybeCommitted(failure);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  @Test
  void expectedRowsAreStagedBeforeTheirMergeAndNotByIt() {
    CountedStages dialect =
        new CountedStages(new DuckDbDialect(directory.resolve("counted.duckdb"), 1, 0));
    try (SqlWarehouse counted = new SqlWarehouse(dialect)) {
      counted.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
      for (int i = 1; i <= 3; i++) {
        Message message = Message.of("m" + i, Instant.EPOCH, Map.of(), new byte[0]);
        Batch batch =
            new Batch(
                UUID.randomUUID(),
                "test",
                KeyValueMapping.TABLE,
                List.of(Row.of(message, "k" + i, "v")),
                Optional.empty(),
                Duration.ofSeconds(30));
        counted.expect(batch.table(), batch.rows());
        assertThat(dialect.stages).hasValue(i);
        assertThat(counted.merge(batch)).isEqualTo(new MergeOutcome.Merged(1));
        assertThat(dialect.stages).hasValue(i);
      }
    }
  }

  @Test
  void stagesDoNotGrowWithTheNumberOfBatches() throws SQLException {
    warehouse.prepare(KeyValueMapping.TABLE, Table.Policy.CREATE);
    mergeBatches(0, 10);
    long few = stagedBytes();

    mergeBatches(10, 60);

    assertThat(stagedBytes() - few).isLessThan(2_000_000);
  }

  private void mergeBatches(int from, int to) {
    for (int i = from; i < to; i++) {
      List<Row> rows = new ArrayList<>();
      for (int j = 0; j < 2_000; j++) {
        Message message = Message.of("m" + i + "-" + j, Instant.EPOCH, Map.of(), new byte[0]);
        rows.add(Row.of(message, "the same key in all batches " + j, "v"));
      }
      Batch batch =
          new Batch(
              UUID.randomUUID(),
              "test",
              KeyValueMapping.TABLE,
              rows,
              Optional.empty(),
              Duration.ofSeconds(30));
      if (i % 2 == 0) {
        warehouse.expect(batch.table(), rows);
      }
      assertThat(warehouse.merge(batch)).isInstanceOf(MergeOutcome.Merged.class);
    }
  }

  private long stagedBytes() throws SQLException {
    return ((Number)
            query("SELECT memory_usage_bytes FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'")
                .getFirst()
                .getFirst())
        .longValue();
  }

  @Test
  void databaseThatWasInvalidatedNeedsPeople() {
    try (DuckDbDialect dialect = new DuckDbDialect(directory.resolve("invalid.duckdb"), 1, 0)) {
      assertThat(
              dialect.outcomeOf(
                  new SQLException(
                      "FATAL Error: Failed: database has been invalidated because of a previous fatal error.")))
          .isInstanceOfSatisfying(
              MergeOutcome.Impossible.class,
              impossible -> assertThat(impossible.reason()).contains("opened again"));
    }
  }

  @Test
  void fileThatAnotherProcessHasIsInUse() throws Exception {
    Path file = directory.resolve("other.duckdb");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FileHolder.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("open");
      assertThatThrownBy(() -> DuckDbWarehouse.open(file))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("in use by another process");
    } finally {
      other.outputWriter().close();
      assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    DuckDbWarehouse.open(file).close();
  }

  /** A process that has a warehouse open until its input ends. */
  static final class FileHolder {
    private FileHolder() {}

    public static void main(String[] args) throws IOException {
      try (DuckDbWarehouse held = DuckDbWarehouse.open(Path.of(args[0]))) {
        System.out.println("open");
        assertThat(System.in.read()).isEqualTo(-1);
        assertThat(List.of(held)).hasSize(1);
      }
    }
  }
}
