package dev.tidemark.node.internal.command.kv;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.node.internal.stores.DirectoryPath;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --in}: keys are those of a directory, without its prefix. */
final class Place {
  @Option(
      names = "--in",
      paramLabel = "PATH",
      description = "Keys of this directory, such as app/users, without its prefix.")
  private Optional<String> path = Optional.empty();

  /** The prefix of the directory; the empty key if no directory was named. */
  Key prefix(Database database) {
    return path.map(
            text ->
                DirectoryLayer.DEFAULT
                    .open(database, LayerId.NONE, DirectoryPath.names(text))
                    .subspace()
                    .prefix())
        .orElse(Key.EMPTY);
  }
}
