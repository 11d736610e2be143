package dev.tidemark.node.internal.stores;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.directory.Directory;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.records.RecordException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The directories of a store, and which of them hold records. */
public final class DirectoryTree {
  private DirectoryTree() {}

  /**
   * A directory.
   *
   * @param path its names with slashes between them
   * @param layer its layer id
   * @param bytes about how much its own keys and values take; nothing for a partition
   * @param records the schema of its records, if it holds any
   */
  public record Node(String path, LayerId layer, Optional<Long> bytes, Optional<Schema> records) {}

  /** The directories below {@code path}, or below the root, parents before what they hold. */
  public static List<Node> below(Database database, Optional<String> path) {
    List<Node> found = new ArrayList<>();
    List<String> root =
        path.filter(text -> !text.isEmpty() && !text.equals("/"))
            .map(text -> List.of(DirectoryPath.names(text)))
            .orElse(List.of());
    if (!root.isEmpty()) {
      found.add(node(database, root));
    }
    collect(database, root, found);
    return found;
  }

  private static void collect(Database database, List<String> path, List<Node> found) {
    for (String name : DirectoryLayer.DEFAULT.list(database, path.toArray(String[]::new))) {
      List<String> child = new ArrayList<>(path);
      child.add(name);
      found.add(node(database, child));
      collect(database, child, found);
    }
  }

  private static Node node(Database database, List<String> path) {
    Directory directory =
        DirectoryLayer.DEFAULT.open(database, LayerId.NONE, path.toArray(String[]::new));
    String text = String.join("/", path);
    if (directory.layer().equals(LayerId.PARTITION)) {
      return new Node(text, directory.layer(), Optional.empty(), Optional.empty());
    }
    long bytes = database.estimatedSize(directory.subspace().prefixRange());
    return new Node(text, directory.layer(), Optional.of(bytes), schema(database, directory));
  }

  private static Optional<Schema> schema(Database database, Directory directory) {
    try {
      return Optional.of(
          RecordSpace.openStored(database, directory.subspace(), options -> options).schema());
    } catch (RecordException noRecords) {
      return Optional.empty();
    }
  }
}
