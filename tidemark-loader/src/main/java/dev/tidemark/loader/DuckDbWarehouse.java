package dev.tidemark.loader;

import dev.tidemark.kv.UsageException;
import dev.tidemark.loader.internal.sql.DuckDbDialect;
import dev.tidemark.loader.internal.sql.SqlWarehouse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

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
   * @throws IllegalStateException if it cannot be opened, for instance because another process has
   *     it open
   */
  public static DuckDbWarehouse open(Path file) {
    return open(file, UnaryOperator.identity());
  }

  /**
   * Opens the warehouse in {@code file}, which is created if it is missing.
   *
   * @throws IllegalStateException if it cannot be opened, for instance because another process has
   *     it open
   */
  public static DuckDbWarehouse open(Path file, UnaryOperator<Options> options) {
    Options chosen = options.apply(new Options(0, 0));
    return new DuckDbWarehouse(
        new SqlWarehouse(new DuckDbDialect(file, chosen.threads, chosen.memoryMax)));
  }

  /** What DuckDB may take of the machine; all connections of the process to the file share it. */
  public static final class Options {
    private static final long MEMORY_MIN = 16_000_000;

    private final int threads;
    private final long memoryMax;

    private Options(int threads, long memoryMax) {
      this.threads = threads;
      this.memoryMax = memoryMax;
    }

    /**
     * These options with a number of threads. One is fastest for a table whose key has a time,
     * because a batch then reads only rows of its own time; more help where each batch searches a
     * large table. Default: one for each processor.
     */
    public Options withThreads(int number) {
      if (number < 1) {
        throw UsageException.invalidOption(
            "DuckDB needs a thread; %d were given".formatted(number));
      }
      return new Options(number, memoryMax);
    }

    /**
     * These options with the most bytes that DuckDB may take, its index included, which needs about
     * 20 bytes a row. Beyond that merges fail. Default: four fifths of the machine's memory.
     */
    public Options withMemoryMax(long bytes) {
      if (bytes < MEMORY_MIN) {
        throw UsageException.invalidOption(
            "DuckDB may take %,d bytes; it needs %,d at least".formatted(bytes, MEMORY_MIN));
      }
      return new Options(threads, bytes);
    }
  }

  @Override
  public void prepare(Table table, Table.Policy policy) {
    warehouse.prepare(table, policy);
  }

  @Override
  public void expect(Table table, List<Row> rows) {
    warehouse.expect(table, rows);
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
