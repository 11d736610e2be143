package dev.tidemark.node.internal.command.load;

import dev.tidemark.loader.DeadLetters;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.PostgresWarehouse;
import dev.tidemark.loader.Warehouse;
import java.nio.file.Path;

/** The argument WAREHOUSE: a file of DuckDB, or the address of a database of PostgreSQL. */
final class WarehouseArgument {
  /** What a WAREHOUSE is, for help. */
  static final String DESCRIPTION =
      "A file of DuckDB, or jdbc:postgresql://HOST/DATABASE?user=NAME&password=WORD.";

  private static final String POSTGRES = "jdbc:postgresql:";

  private WarehouseArgument() {}

  /**
   * A warehouse, which takes dead letters too.
   *
   * @param warehouse where the rows go; whoever opened it closes it
   * @param letters where messages go that cannot become rows
   */
  record Opened(Warehouse warehouse, DeadLetters letters) implements AutoCloseable {
    @Override
    public void close() {
      warehouse.close();
    }
  }

  /** Opens the warehouse that {@code text} names. */
  static Opened open(String text) {
    if (text.startsWith(POSTGRES)) {
      PostgresWarehouse postgres = PostgresWarehouse.open(text);
      return new Opened(postgres, postgres);
    }
    if (text.startsWith("jdbc:") || text.contains("://")) {
      throw new IllegalArgumentException(
          "'%s' is no warehouse; give a file of DuckDB, or %s//HOST/DATABASE"
              .formatted(text, POSTGRES));
    }
    DuckDbWarehouse duck = DuckDbWarehouse.open(Path.of(text));
    return new Opened(duck, duck);
  }
}
