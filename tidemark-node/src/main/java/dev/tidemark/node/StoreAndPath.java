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
import dev.tidemark.remote.RemoteOptions;
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
        PATH   the directory of the records, such as tenants/acme/users
      """
          + ClientArguments.USAGE;

  /** The exit code of a command that found something wrong or could not be carried out. */
  static final int WRONG = 1;

  private static final int MISUSED = 2;

  /** What every directory with a database has. */
  private static final String MARKER = "TIDEMARK";

  private final PrintStream err;
  private final String usage;
  private final ClientArguments arguments;

  private StoreAndPath(PrintStream err, String usage, ClientArguments arguments) {
    this.err = err;
    this.usage = usage;
    this.arguments = arguments;
  }

  /**
   * Takes out of {@code args} how to connect to a served store, lets {@code command} look at the
   * others, and answers its exit code.
   */
  static int with(
      PrintStream err, String usage, String[] args, ToIntFunction<StoreAndPath> command) {
    ClientArguments arguments;
    try {
      arguments = ClientArguments.parse(args);
    } catch (IllegalArgumentException wrong) {
      err.println("tidemark: " + wrong.getMessage());
      err.println(usage);
      return MISUSED;
    }
    return command.applyAsInt(new StoreAndPath(err, usage, arguments));
  }

  /** The arguments of the command. */
  String[] args() {
    return arguments.others().toArray(String[]::new);
  }

  /** Shows how the command is used, and answers the exit code for that. */
  int showUsage() {
    err.println(usage);
    return MISUSED;
  }

  /**
   * Opens the records at {@code path} in {@code store}, runs {@code command} on them and answers
   * its exit code. A failure that the user can do something about becomes one line.
   */
  int run(String store, String path, ToIntFunction<RecordSpace> command) {
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

  /** Opens STORE, which must be there; the caller closes it. */
  Database database(String store) {
    if (ClientArguments.isServed(store)) {
      RemoteOptions options = arguments.options(err);
      return RemoteDatabase.connect(store, defaults -> options);
    }
    Path directory = Path.of(store).toAbsolutePath().normalize();
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("There is no directory " + directory);
    }
    if (!Files.exists(directory.resolve(MARKER))) {
      throw new IllegalArgumentException("There is no database in " + directory);
    }
    return EmbeddedDatabase.open(directory);
  }

  /** Opens the records at PATH with the schema that is stored there. */
  static RecordSpace space(Database database, String path) {
    Directory directory = DirectoryLayer.DEFAULT.open(database, LayerId.NONE, names(path));
    return RecordSpace.openStored(database, directory.subspace(), options -> options);
  }

  /** One slash in front is none of the names: messages show a path with it. */
  private static String[] names(String path) {
    String rest = path.startsWith("/") ? path.substring(1) : path;
    return rest.split("/", -1);
  }
}
