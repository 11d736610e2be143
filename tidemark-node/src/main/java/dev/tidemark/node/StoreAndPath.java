package dev.tidemark.node;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Directory;
import dev.tidemark.kv.DirectoryException;
import dev.tidemark.kv.DirectoryLayer;
import dev.tidemark.kv.LayerId;
import dev.tidemark.records.RecordException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.remote.RemoteDatabase;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToIntFunction;

/** The arguments STORE and PATH, by which commands find records whose program is not at hand. */
final class StoreAndPath {
  static final String USAGE =
      """
        STORE  a directory that no process has open, or tidemark://HOST:PORT of a served one
        PATH   the directory of the records, such as tenants/acme/users""";

  /** The exit code of a command that found something wrong or could not be carried out. */
  static final int WRONG = 1;

  private static final int MISUSED = 2;

  private StoreAndPath() {}

  /** Shows how a command is used, and answers the exit code for that. */
  static int showUsage(PrintStream err, String usage) {
    err.println(usage);
    return MISUSED;
  }

  /**
   * Opens the records at {@code path} in {@code store}, runs {@code command} on them and answers
   * its exit code. A failure that the user can do something about becomes one line.
   */
  static int run(PrintStream err, String store, String path, ToIntFunction<RecordSpace> command) {
    try (Database database = database(store)) {
      return command.applyAsInt(space(database, path));
    } catch (DatabaseException
        | DirectoryException
        | RecordException
        | UncheckedIOException
        | IllegalArgumentException
        | IllegalStateException
        | ArithmeticException failure) {
      err.println("tidemark: " + failure.getMessage());
      return WRONG;
    }
  }

  /** Opens STORE; the caller closes it. */
  static Database database(String store) {
    if (store.contains("://")) {
      return RemoteDatabase.connect(store);
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
