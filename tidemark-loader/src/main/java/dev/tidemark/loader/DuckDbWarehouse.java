package dev.tidemark.loader;

import dev.tidemark.loader.internal.sql.DuckDbDialect;
import dev.tidemark.loader.internal.sql.SqlWarehouse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A warehouse in a local file of DuckDB, which no other process may open at the same time. Dead
 * letters go to its table {@code tidemark_dead_letters}.
 *
 * <p>Needs {@code org.duckdb:duckdb_jdbc} on the class path.
 */
public final class DuckDbWarehouse implements Warehouse, DeadLetters {
  private final SqlWarehouse warehouse;

  private DuckDbWarehouse(SqlWarehouse warehouse) {
    this.warehouse = warehouse;
  }

  /**
   * Opens the warehouse in {@code file}, which is created if it is missing.
   *
   * @throws IllegalStateException if it cannot be opened, for instance since another process has it
   */
  public static DuckDbWarehouse open(Path file) {
    return new DuckDbWarehouse(new SqlWarehouse(new DuckDbDialect(file)));
  }

  @Override
  public void prepare(Table table, Table.Policy policy) {
    warehouse.prepare(table, policy);
  }

  @Override
  public MergeOutcome merge(Batch batch) {
    return warehouse.merge(batch);
  }

  @Override
  public MergeOutcome settle(UUID job) {
    return warehouse.settle(job);
  }

  @Override
  public Optional<String> position(String source) {
    return warehouse.position(source);
  }

  @Override
  public void write(List<DeadLetter> letters) {
    warehouse.write(letters);
  }

  @Override
  public void close() {
    warehouse.close();
  }
}
