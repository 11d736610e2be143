package dev.tidemark.bench;

import dev.tidemark.embedded.EmbeddedDatabase;
import java.nio.file.Path;

/** The embedded engine on files. */
final class Engine extends Store {
  private final EmbeddedDatabase database;

  Engine(Path directory) {
    this(EmbeddedDatabase.open(directory));
  }

  Engine(EmbeddedDatabase database) {
    super(database);
    this.database = database;
  }

  EmbeddedDatabase database() {
    return database;
  }
}
