package dev.tidemark.kv.directory;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.directory.DirectoryNodes.Node;
import dev.tidemark.kv.tuple.Subspace;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The root of a tree of directories: of the whole tree, or of a partition. */
public final class DirectoryLayer implements Directory {
  private static final byte NODES = (byte) 0xfe;

  /** The usual tree: prefixes from the whole key space, metadata under {@code fe}. */
  public static final DirectoryLayer DEFAULT = of(Subspace.fromPrefix(Key.of(NODES)), Subspace.ALL);

  private final DirectoryNodes nodes;
  private final Subspace contents;
  private final boolean manualPrefixes;
  private final List<String> path;

  private DirectoryLayer(
      Subspace nodes, Subspace contents, boolean manualPrefixes, List<String> path) {
    this.nodes = new DirectoryNodes(nodes);
    this.contents = contents;
    this.manualPrefixes = manualPrefixes;
    this.path = path;
  }

  /**
   * A tree with its metadata in {@code nodes} and the directories' prefixes in {@code contents}.
   */
  public static DirectoryLayer of(Subspace nodes, Subspace contents) {
    return new DirectoryLayer(nodes, contents, false, List.of());
  }

  /** The tree in the partition with this prefix. */
  static DirectoryLayer ofPartition(Key prefix, List<String> path) {
    return new DirectoryLayer(
        Subspace.fromPrefix(prefix.append(NODES)), Subspace.fromPrefix(prefix), false, path);
  }

  /**
   * The same tree, in which directories can be created with a prefix of the caller's choice. Such a
   * prefix may one day be in the way of one that is chosen automatically, and creating that
   * directory then fails; prefixes that are no packed integers never are.
   */
  public DirectoryLayer withManualPrefixes() {
    return new DirectoryLayer(nodes.space(), contents, true, path);
  }

  /** Where a path leads: the innermost tree on the way, and what is left of the path there. */
  private record Place(DirectoryLayer tree, List<String> path, Optional<Node> found) {
    Node require() {
      return found.orElseThrow(() -> DirectoryException.notFound(absolute()));
    }

    List<String> absolute() {
      return tree.absolute(path);
    }

    OpenDirectory open(Node node) {
      return tree.opened(node, path);
    }
  }

  /** Follows {@code target} through all partitions that it passes. */
  private Place locate(ReadTransaction tx, List<String> target) {
    nodes.checkReadable(tx, path);
    Optional<Node> found = nodes.find(tx, target);
    if (found.isPresent() && found.get().depth() < target.size()) {
      Node partition = found.get();
      DirectoryLayer inner =
          ofPartition(partition.prefix(), absolute(target.subList(0, partition.depth())));
      return inner.locate(tx, target.subList(partition.depth(), target.size()));
    }
    return new Place(this, target, found);
  }

  private Place locateBelowRoot(ReadTransaction tx, List<String> target) {
    Place place = locate(tx, target);
    if (place.path.isEmpty()) {
      throw DirectoryException.root(place.absolute());
    }
    return place;
  }

  private OpenDirectory opened(Node node, List<String> relative) {
    return new OpenDirectory(this, absolute(relative), node.prefix(), node.layer());
  }

  private List<String> absolute(List<String> relative) {
    return Stream.concat(path.stream(), relative.stream()).toList();
  }

  @Override
  public List<String> path() {
    return path;
  }

  @Override
  public LayerId layer() {
    return LayerId.NONE;
  }

  @Override
  public Subspace subspace() {
    throw DirectoryException.noContents(path, LayerId.NONE);
  }

  @Override
  public Directory createOrOpen(TransactionContext context, LayerId layer, String... path) {
    return context.transact(tx -> createOrOpen(tx, layer, List.of(path)));
  }

  private OpenDirectory createOrOpen(Transaction tx, LayerId layer, List<String> target) {
    Place place = locateBelowRoot(tx, target);
    return place.found.isPresent()
        ? open(place, layer)
        : place.tree.create(tx, place.path, layer, null);
  }

  @Override
  public Directory create(TransactionContext context, LayerId layer, String... path) {
    return context.transact(tx -> create(tx, List.of(path), null, layer));
  }

  @Override
  public Directory createWithPrefix(
      TransactionContext context, Key prefix, LayerId layer, String... path) {
    return context.transact(tx -> create(tx, List.of(path), prefix, layer));
  }

  private Directory create(
      Transaction tx, List<String> target, @Nullable Key prefix, LayerId layer) {
    Place place = locateBelowRoot(tx, target);
    if (prefix != null && !place.tree.manualPrefixes) {
      throw new IllegalArgumentException(
          place.tree.path.isEmpty()
              ? "This tree chooses prefixes itself; use withManualPrefixes()"
              : "A directory in a partition cannot have a prefix of the caller's choice");
    }
    if (place.found.isPresent()) {
      throw DirectoryException.alreadyExists(place.absolute(), place.found.get().layer());
    }
    return place.tree.create(tx, place.path, layer, prefix);
  }

  private OpenDirectory create(
      Transaction tx, List<String> target, LayerId layer, @Nullable Key wanted) {
    nodes.checkWritable(tx, path);
    Key prefix = wanted == null ? newPrefix(tx, target) : requireFree(tx, target, wanted);
    nodes.add(tx, createdParent(tx, target), target.getLast(), prefix, layer);
    return opened(new Node(prefix, layer, target.size()), target);
  }

  private Key createdParent(Transaction tx, List<String> target) {
    return target.size() == 1
        ? nodes.root()
        : createOrOpen(tx, LayerId.NONE, parent(target)).prefix();
  }

  private static List<String> parent(List<String> target) {
    return target.subList(0, target.size() - 1);
  }

  /** A prefix that no directory has and under which there are no keys. */
  private Key newPrefix(Transaction tx, List<String> target) {
    Key prefix = contents.pack(nodes.allocator().allocate(tx));
    if (tx.scan(KeyRange.startingWith(prefix)).first().isPresent()) {
      throw DirectoryException.prefixInUse(
          absolute(target),
          prefix,
          "it was chosen automatically, but there are keys with it that belong to no directory");
    }
    // As a snapshot: others may create directories beside this one meanwhile. Only one that
    // overlaps
    // it is a conflict.
    nodes.addReadConflicts(tx, prefix);
    if (!nodes.isFree(tx.snapshot(), prefix)) {
      throw DirectoryException.prefixInUse(
          absolute(target),
          prefix,
          "it was chosen automatically, but a directory with a manual prefix is in its way");
    }
    return prefix;
  }

  private Key requireFree(Transaction tx, List<String> target, Key prefix) {
    if (prefix.compareTo(Key.END) >= 0 || !nodes.isFree(tx, prefix)) {
      throw DirectoryException.prefixInUse(
          absolute(target), prefix, "it is empty, reserved, or overlaps that of another directory");
    }
    return prefix;
  }

  @Override
  public Directory open(ReadContext context, LayerId layer, String... path) {
    return context.read(tx -> open(locateBelowRoot(tx, List.of(path)), layer));
  }

  private static OpenDirectory open(Place place, LayerId layer) {
    Node node = place.require();
    if (!node.layer().satisfies(layer)) {
      throw DirectoryException.otherLayer(place.absolute(), node.layer(), layer);
    }
    return place.open(node);
  }

  @Override
  public Directory move(TransactionContext context, List<String> from, List<String> to) {
    return context.transact(tx -> move(tx, List.copyOf(from), List.copyOf(to)));
  }

  private Directory move(Transaction tx, List<String> from, List<String> to) {
    if (to.size() >= from.size() && to.subList(0, from.size()).equals(from)) {
      throw DirectoryException.invalidMove(
          absolute(from), absolute(to), "a directory cannot be inside itself");
    }
    Place source = locateBelowRoot(tx, from);
    Place target = locateBelowRoot(tx, to);
    Node node = source.require();
    if (!source.tree.path.equals(target.tree.path)) {
      throw DirectoryException.invalidMove(
          absolute(from), absolute(to), "the two are in different partitions");
    }
    if (target.found.isPresent()) {
      throw DirectoryException.alreadyExists(target.absolute(), target.found.get().layer());
    }
    return target.tree.relink(tx, node, source.path, target.path);
  }

  private Directory relink(Transaction tx, Node node, List<String> from, List<String> to) {
    nodes.checkWritable(tx, path);
    nodes.link(tx, requireParent(tx, to), to.getLast(), node.prefix());
    nodes.unlink(tx, requireParent(tx, from), from.getLast());
    return opened(node, to);
  }

  private Key requireParent(Transaction tx, List<String> target) {
    return nodes
        .find(tx, parent(target))
        .orElseThrow(() -> DirectoryException.notFound(absolute(parent(target))))
        .prefix();
  }

  @Override
  public Directory moveTo(TransactionContext context, String... absolutePath) {
    throw DirectoryException.root(path);
  }

  @Override
  public void remove(TransactionContext context, String... path) {
    context.run(
        tx -> {
          if (!remove(tx, List.of(path))) {
            throw DirectoryException.notFound(absolute(List.of(path)));
          }
        });
  }

  @Override
  public boolean removeIfExists(TransactionContext context, String... path) {
    return context.transact(tx -> remove(tx, List.of(path)));
  }

  private boolean remove(Transaction tx, List<String> target) {
    Place place = locateBelowRoot(tx, target);
    DirectoryLayer tree = place.tree;
    tree.nodes.checkWritable(tx, tree.path);
    place.found.ifPresent(
        node -> {
          tree.nodes.removeTree(tx, node);
          tree.nodes.unlink(tx, tree.requireParent(tx, place.path), place.path.getLast());
          MetadataVersion.change(tx);
        });
    return place.found.isPresent();
  }

  @Override
  public boolean exists(ReadContext context, String... path) {
    return context.read(tx -> locate(tx, List.of(path)).found.isPresent());
  }

  @Override
  public List<String> list(ReadContext context, String... path) {
    return context.read(
        tx -> {
          Place place = locate(tx, List.of(path));
          Node node = place.require();
          return node.isPartition()
              ? ofPartition(node.prefix(), place.absolute()).list(tx)
              : place.tree.nodes.childNames(tx, node);
        });
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DirectoryLayer that
        && nodes.space().equals(that.nodes.space())
        && contents.equals(that.contents)
        && manualPrefixes == that.manualPrefixes
        && path.equals(that.path);
  }

  @Override
  public int hashCode() {
    return 31 * nodes.space().hashCode() + contents.hashCode();
  }

  @Override
  public String toString() {
    return "DirectoryLayer[/" + String.join("/", path) + "]";
  }
}
