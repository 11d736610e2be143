package dev.tidemark.bench.rows;

import dev.tidemark.embedded.EmbeddedDatabase;
import java.nio.file.Path;

/** The embedded engine on files. */
public final class Engine extends Store {
  private final EmbeddedDatabase database;

  public Engine(Path directory) {
    this(EmbeddedDatabase.open(directory));
  }

  public Engine(EmbeddedDatabase database) {
    super(database);
    this.database = database;
  }

  public EmbeddedDatabase database() {
    return database;
  }
}
