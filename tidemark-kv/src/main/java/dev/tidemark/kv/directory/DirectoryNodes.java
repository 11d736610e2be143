package dev.tidemark.kv.directory;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.internal.KeyPrinter;
import dev.tidemark.kv.tuple.Subspace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The metadata of one directory tree: a node for each directory, at the directory's prefix within
 * the node subspace. Described in docs/formats/directory.md.
 */
final class DirectoryNodes {
  private static final int VERSION_MAJOR = 1;
  private static final int VERSION_MINOR = 0;
  private static final int VERSION_PATCH = 0;
  private static final int CHILDREN = 0;
  private static final byte[] LAYER = ascii("layer");
  private static final byte[] VERSION = ascii("version");
  private static final byte[] ALLOCATOR = ascii("hca");

  private final Subspace space;
  private final Node root;

  DirectoryNodes(Subspace space) {
    this.space = space;
    this.root = new Node(space.prefix(), LayerId.NONE, 0);
  }

  /**
   * A directory that was found.
   *
   * @param prefix the prefix of its keys
   * @param layer its layer id
   * @param depth how many names of the path lead to it; fewer than all if it is a partition, where
   *     the search ends
   */
  record Node(Key prefix, LayerId layer, int depth) {
    boolean isPartition() {
      return layer.equals(LayerId.PARTITION);
    }
  }

  Subspace space() {
    return space;
  }

  /** The prefix of the node that has the topmost directories as children. */
  Key root() {
    return root.prefix;
  }

  PrefixAllocator allocator() {
    return new PrefixAllocator(metadata(root.prefix).sub(ALLOCATOR));
  }

  private Subspace metadata(Key prefix) {
    return space.sub(prefix.toByteArray());
  }

  private Subspace children(Key prefix) {
    return metadata(prefix).sub(CHILDREN);
  }

  /** The directory at {@code path}, or the first partition on the way to it. */
  Optional<Node> find(ReadTransaction tx, List<String> path) {
    Node node = root;
    while (node.depth < path.size() && !node.isPartition()) {
      Optional<byte[]> prefix = tx.get(children(node.prefix).pack(path.get(node.depth)));
      if (prefix.isEmpty()) {
        return Optional.empty();
      }
      Key child = Key.wrap(prefix.get());
      LayerId layer =
          tx.get(metadata(child).pack(LAYER)).map(LayerId::fromBytes).orElse(LayerId.NONE);
      node = new Node(child, layer, node.depth + 1);
    }
    return Optional.of(node);
  }

  void add(Transaction tx, Key parent, String name, Key prefix, LayerId layer) {
    link(tx, parent, name, prefix);
    tx.set(metadata(prefix).pack(LAYER), layer.toByteArray());
  }

  void link(Transaction tx, Key parent, String name, Key prefix) {
    tx.set(children(parent).pack(name), prefix.toByteArray());
  }

  void unlink(Transaction tx, Key parent, String name) {
    tx.clear(children(parent).pack(name));
  }

  /** Removes the node, all nodes below it, and the contents of all of them. */
  void removeTree(Transaction tx, Node top) {
    Deque<Key> remaining = new ArrayDeque<>(List.of(top.prefix));
    while (!remaining.isEmpty()) {
      Key prefix = remaining.pop();
      for (KeyValue child : tx.scan(children(prefix).range())) {
        remaining.push(Key.of(child.value()));
      }
      tx.clear(KeyRange.startingWith(prefix));
      tx.clear(metadata(prefix).range());
    }
  }

  List<String> childNames(ReadTransaction tx, Node node) {
    Subspace children = children(node.prefix);
    List<String> names = new ArrayList<>();
    for (KeyValue child : tx.scan(children.range())) {
      names.add(children.unpack(child.key()).getString(0));
    }
    return names;
  }

  /** Whether no directory's prefix begins with {@code prefix}, nor the other way round. */
  boolean isFree(ReadTransaction tx, Key prefix) {
    if (prefix.size() == 0 || prefix.startsWith(space.prefix())) {
      return false;
    }
    KeyRange upToPrefix =
        new KeyRange(space.range().begin(), space.pack(prefix.toByteArray()).next());
    boolean insideAnother =
        tx.scan(upToPrefix)
            .reverse()
            .first()
            .map(row -> Key.wrap(space.unpack(row.key()).getBytes(0)))
            .filter(prefix::startsWith)
            .isPresent();
    return !insideAnother && tx.scan(nodesWithin(prefix)).first().isEmpty();
  }

  /** Makes {@code tx} conflict with commits after which {@link #isFree} would have been false. */
  void addReadConflicts(Transaction tx, Key prefix) {
    byte[] bytes = prefix.toByteArray();
    for (int length = 1; length < bytes.length; length++) {
      tx.addReadConflict(metadata(Key.wrap(Arrays.copyOf(bytes, length))).range());
    }
    tx.addReadConflict(nodesWithin(prefix));
  }

  private KeyRange nodesWithin(Key prefix) {
    return new KeyRange(
        space.pack(prefix.toByteArray()), space.pack(prefix.afterPrefix().toByteArray()));
  }

  void checkReadable(ReadTransaction tx, List<String> path) {
    tx.get(versionKey()).ifPresent(version -> checkReadable(version, path));
  }

  /** Checks the version, or writes it if there is none yet. */
  void checkWritable(Transaction tx, List<String> path) {
    Optional<byte[]> version = tx.get(versionKey());
    if (version.isEmpty()) {
      tx.set(versionKey(), currentVersion());
      return;
    }
    checkReadable(version.get(), path);
    ByteBuffer numbers = ByteBuffer.wrap(version.get()).order(ByteOrder.LITTLE_ENDIAN);
    if (numbers.getInt(0) == VERSION_MAJOR && numbers.getInt(4) > VERSION_MINOR) {
      throw DirectoryException.unknownVersion(
          path, print(version.get()), "this program can read them, but not change them");
    }
  }

  private static void checkReadable(byte[] version, List<String> path) {
    if (version.length != 12
        || ByteBuffer.wrap(version).order(ByteOrder.LITTLE_ENDIAN).getInt(0) > VERSION_MAJOR) {
      throw DirectoryException.unknownVersion(
          path, print(version), "this program reads up to version " + VERSION_MAJOR);
    }
  }

  private Key versionKey() {
    return metadata(root.prefix).pack(VERSION);
  }

  private static byte[] currentVersion() {
    return ByteBuffer.allocate(12)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(VERSION_MAJOR)
        .putInt(VERSION_MINOR)
        .putInt(VERSION_PATCH)
        .array();
  }

  private static String print(byte[] version) {
    if (version.length != 12) {
      return KeyPrinter.escaped(version);
    }
    ByteBuffer numbers = ByteBuffer.wrap(version).order(ByteOrder.LITTLE_ENDIAN);
    return numbers.getInt(0) + "." + numbers.getInt(4) + "." + numbers.getInt(8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
