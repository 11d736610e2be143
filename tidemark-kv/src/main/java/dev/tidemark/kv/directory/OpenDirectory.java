package dev.tidemark.kv.directory;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.tuple.Subspace;
import java.util.List;
import java.util.stream.Stream;

/** A directory that was found or created in a tree. */
final class OpenDirectory implements Directory {
  private final DirectoryLayer tree;
  private final List<String> path;
  private final Key prefix;
  private final LayerId layer;

  OpenDirectory(DirectoryLayer tree, List<String> path, Key prefix, LayerId layer) {
    this.tree = tree;
    this.path = path;
    this.prefix = prefix;
    this.layer = layer;
  }

  Key prefix() {
    return prefix;
  }

  private boolean isPartition() {
    return layer.equals(LayerId.PARTITION);
  }

  @Override
  public List<String> path() {
    return path;
  }

  @Override
  public LayerId layer() {
    return layer;
  }

  @Override
  public Subspace subspace() {
    if (isPartition()) {
      throw DirectoryException.noContents(path, layer);
    }
    return Subspace.fromPrefix(prefix);
  }

  /**
   * The tree in which {@code relative} is to be looked up: for what is inside a partition that is
   * the partition's own, wherever the partition has been moved meanwhile.
   */
  private DirectoryLayer tree(List<String> relative) {
    return isPartition() && !relative.isEmpty() ? DirectoryLayer.ofPartition(prefix, path) : tree;
  }

  private DirectoryLayer tree(String... relative) {
    return tree(List.of(relative));
  }

  /** The path within {@link #tree(List)}. */
  private List<String> within(List<String> relative) {
    int above = tree(relative).path().size();
    return Stream.concat(path.subList(above, path.size()).stream(), relative.stream()).toList();
  }

  private String[] within(String... relative) {
    return within(List.of(relative)).toArray(String[]::new);
  }

  @Override
  public Directory createOrOpen(TransactionContext context, LayerId wanted, String... relative) {
    return tree(relative).createOrOpen(context, wanted, within(relative));
  }

  @Override
  public Directory create(TransactionContext context, LayerId wanted, String... relative) {
    return tree(relative).create(context, wanted, within(relative));
  }

  @Override
  public Directory createWithPrefix(
      TransactionContext context, Key newPrefix, LayerId wanted, String... relative) {
    return tree(relative).createWithPrefix(context, newPrefix, wanted, within(relative));
  }

  @Override
  public Directory open(ReadContext context, LayerId wanted, String... relative) {
    return tree(relative).open(context, wanted, within(relative));
  }

  @Override
  public Directory move(TransactionContext context, List<String> from, List<String> to) {
    if (from.isEmpty() || to.isEmpty()) {
      throw DirectoryException.invalidMove(
          absolute(from),
          absolute(to),
          "move is for what is inside; moveTo moves a directory itself");
    }
    return tree(from).move(context, within(from), within(to));
  }

  private List<String> absolute(List<String> relative) {
    return Stream.concat(path.stream(), relative.stream()).toList();
  }

  @Override
  public Directory moveTo(TransactionContext context, String... absolutePath) {
    List<String> target = List.of(absolutePath);
    int above = tree.path().size();
    if (target.size() <= above || !target.subList(0, above).equals(tree.path())) {
      throw DirectoryException.invalidMove(path, target, "the two are in different partitions");
    }
    return tree.move(context, within(List.of()), target.subList(above, target.size()));
  }

  @Override
  public void remove(TransactionContext context, String... relative) {
    tree(relative).remove(context, within(relative));
  }

  @Override
  public boolean removeIfExists(TransactionContext context, String... relative) {
    return tree(relative).removeIfExists(context, within(relative));
  }

  @Override
  public boolean exists(ReadContext context, String... relative) {
    return tree(relative).exists(context, within(relative));
  }

  @Override
  public List<String> list(ReadContext context, String... relative) {
    return tree(relative).list(context, within(relative));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OpenDirectory that
        && path.equals(that.path)
        && prefix.equals(that.prefix)
        && layer.equals(that.layer)
        && tree.equals(that.tree);
  }

  @Override
  public int hashCode() {
    return 31 * path.hashCode() + prefix.hashCode();
  }

  @Override
  public String toString() {
    return "Directory[/" + String.join("/", path) + " at " + prefix.toHex() + "]";
  }
}
