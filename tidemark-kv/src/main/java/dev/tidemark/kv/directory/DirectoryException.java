package dev.tidemark.kv.directory;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.TidemarkException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something that the directory tree does not permit. The transaction itself is still good. */
public final class DirectoryException extends TidemarkException {
  private final Kind kind;
  private final List<String> path;
  private final @Nullable LayerId layer;

  /** What was not permitted. */
  public enum Kind {
    /** There is no directory at the path. */
    NOT_FOUND,
    /** There is a directory at the path already. */
    ALREADY_EXISTS,
    /** The directory holds the data of another layer. */
    OTHER_LAYER,
    /** A directory cannot be moved into itself or to another partition. */
    INVALID_MOVE,
    /** The prefix for a new directory is not free. */
    PREFIX_IN_USE,
    /** The root of a tree can be neither opened, created, moved nor removed. */
    ROOT,
    /** The directory has no keys of its own, only directories. */
    NO_CONTENTS,
    /** The tree was written by a version of the directory layer that this one does not know. */
    UNKNOWN_VERSION
  }

  DirectoryException(Kind kind, List<String> path, @Nullable LayerId layer, String message) {
    super(message);
    this.kind = kind;
    this.path = List.copyOf(path);
    this.layer = layer;
  }

  static DirectoryException notFound(List<String> path) {
    return new DirectoryException(
        Kind.NOT_FOUND, path, null, "There is no directory " + print(path));
  }

  static DirectoryException alreadyExists(List<String> path, LayerId layer) {
    return new DirectoryException(
        Kind.ALREADY_EXISTS, path, layer, "The directory " + print(path) + " exists already");
  }

  static DirectoryException otherLayer(List<String> path, LayerId stored, LayerId wanted) {
    return new DirectoryException(
        Kind.OTHER_LAYER,
        path,
        stored,
        "The directory %s belongs to the layer \"%s\", not to \"%s\""
            .formatted(print(path), stored, wanted));
  }

  static DirectoryException invalidMove(List<String> from, List<String> to, String reason) {
    return new DirectoryException(
        Kind.INVALID_MOVE,
        from,
        null,
        "The directory %s cannot be moved to %s: %s".formatted(print(from), print(to), reason));
  }

  static DirectoryException prefixInUse(List<String> path, Key prefix, String reason) {
    return new DirectoryException(
        Kind.PREFIX_IN_USE,
        path,
        null,
        "The directory %s cannot have the prefix %s: %s"
            .formatted(print(path), prefix.toHex(), reason));
  }

  static DirectoryException root(List<String> path) {
    return new DirectoryException(
        Kind.ROOT,
        path,
        null,
        "The root %s can be neither opened, created, moved nor removed; name a directory in it"
            .formatted(print(path)));
  }

  static DirectoryException noContents(List<String> path, LayerId layer) {
    return new DirectoryException(
        Kind.NO_CONTENTS,
        path,
        layer,
        "%s holds directories and no keys of its own; create a directory in it for your keys"
            .formatted(print(path)));
  }

  static DirectoryException unknownVersion(List<String> path, String stored, String remedy) {
    return new DirectoryException(
        Kind.UNKNOWN_VERSION,
        path,
        null,
        "The directories in %s were written by version %s of the directory layer; %s"
            .formatted(print(path), stored, remedy));
  }

  private static String print(List<String> path) {
    return "/" + String.join("/", path);
  }

  /** What was not permitted. */
  public Kind kind() {
    return kind;
  }

  /** The path from the root of the whole tree; the one moved from, for a move. */
  public List<String> path() {
    return path;
  }

  /** The layer id of the directory at the path, where that was the problem. */
  public Optional<LayerId> layer() {
    return Optional.ofNullable(layer);
  }
}
