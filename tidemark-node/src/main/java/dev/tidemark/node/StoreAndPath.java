package dev.tidemark.node;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Directory;
import dev.tidemark.kv.DirectoryLayer;
import dev.tidemark.kv.LayerId;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.remote.RemoteDatabase;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The arguments STORE and PATH, by which commands find records whose program is not at hand. */
final class StoreAndPath {
  static final String USAGE =
      """
        STORE  a directory that no process has open, or tidemark://HOST:PORT of a served one
        PATH   the directory of the records, such as tenants/acme/users""";

  private StoreAndPath() {}

  /** Opens STORE; the caller closes it. */
  static Database database(String store) {
    if (store.contains("://")) {
      return RemoteDatabase.connect(URI.create(store));
    }
    Path directory = Path.of(store).toAbsolutePath().normalize();
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("There is no directory " + directory);
    }
    return EmbeddedDatabase.open(directory);
  }

  /** Opens the records at PATH with the schema that is stored there. */
  static RecordSpace space(Database database, String path) {
    Directory directory = DirectoryLayer.DEFAULT.open(database, LayerId.NONE, path.split("/", -1));
    return RecordSpace.openStored(database, directory.subspace(), options -> options);
  }
}
