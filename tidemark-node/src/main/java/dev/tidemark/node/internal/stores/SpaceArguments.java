package dev.tidemark.node.internal.stores;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.directory.Directory;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.records.RecordSpace;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The arguments STORE and PATH, by which commands find records whose program is not at hand. */
public final class SpaceArguments {
  @Mixin private StoreArgument store = new StoreArgument();

  @Parameters(
      index = "1",
      paramLabel = "PATH",
      description = "The directory of the records, such as tenants/acme/users.")
  private String path = "";

  /** Where the records are. */
  public StoreArgument store() {
    return store;
  }

  /** Opens the records, runs {@code command} on them and answers its exit code. */
  public int with(Console console, ToIntFunction<RecordSpace> command) {
    try (Database database = store.open(console)) {
      return command.applyAsInt(space(database));
    }
  }

  /** Opens the records with the schema that is stored with them. */
  public RecordSpace space(Database database) {
    return space(database, path);
  }

  /** Opens the records at {@code path} with the schema that is stored there. */
  public static RecordSpace space(Database database, String path) {
    Directory directory =
        DirectoryLayer.DEFAULT.open(database, LayerId.NONE, DirectoryPath.names(path));
    return RecordSpace.openStored(database, directory.subspace(), options -> options);
  }
}
