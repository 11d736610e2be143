package dev.tidemark.kv.directory;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.tuple.Subspace;
import java.util.List;

/**
 * A place in a tree of named directories, each of which stands for a short prefix of keys.
 *
 * <p>A long path costs nothing in keys, since a directory's prefix has a few bytes wherever it is,
 * and moving a directory does not touch its keys. {@link DirectoryLayer#DEFAULT} is the root of the
 * usual tree:
 *
 * <pre>{@code
 * Directory users = DirectoryLayer.DEFAULT.createOrOpen(db, "app", "users");
 * db.run(tx -> tx.set(users.subspace().pack(42), name));
 * }</pre>
 *
 * <p>All methods take a context first: given a database they run in a transaction of their own,
 * given a transaction they join it, and what they return then holds once that transaction has been
 * committed. Paths are relative to this directory. The bytes are those of FoundationDB's directory
 * layer.
 *
 * <p>A directory with the layer id {@link LayerId#PARTITION} is a partition: the prefixes of all
 * directories below it begin with its own, so that the whole of it is one range of keys. A
 * partition has no keys of its own, and directories cannot be moved into it or out of it.
 */
public sealed interface Directory permits DirectoryLayer, OpenDirectory {
  /** The names from the root of the whole tree to here. */
  List<String> path();

  /** The id of the layer whose data this directory holds. */
  LayerId layer();

  /**
   * The keys of this directory.
   *
   * @throws DirectoryException if this is the root or a partition, which have none
   */
  Subspace subspace();

  /** Opens the directory at {@code path} and creates it first, with its parents, if need be. */
  default Directory createOrOpen(TransactionContext context, String... path) {
    return createOrOpen(context, LayerId.NONE, path);
  }

  /**
   * Opens the directory at {@code path} and creates it first, with its parents, if need be.
   *
   * @param layer the layer id of a new directory, which an existing one has to have
   * @throws DirectoryException if the directory exists with another layer id
   */
  Directory createOrOpen(TransactionContext context, LayerId layer, String... path);

  /**
   * Creates the directory at {@code path}, and its parents if need be.
   *
   * @throws DirectoryException if the directory exists
   */
  default Directory create(TransactionContext context, String... path) {
    return create(context, LayerId.NONE, path);
  }

  /**
   * Creates the directory at {@code path} with the layer id {@code layer}, and its parents, without
   * one, if need be.
   *
   * @throws DirectoryException if the directory exists
   */
  Directory create(TransactionContext context, LayerId layer, String... path);

  /**
   * Creates the directory at {@code path} for the keys that begin with {@code prefix}, whether
   * there are any yet or not.
   *
   * @throws DirectoryException if the directory exists, or if the prefix begins with that of
   *     another directory, or the other way round
   * @throws IllegalArgumentException if the tree is not {@link DirectoryLayer#withManualPrefixes}
   */
  Directory createWithPrefix(TransactionContext context, Key prefix, LayerId layer, String... path);

  /**
   * Opens the directory at {@code path}.
   *
   * @throws DirectoryException if there is none
   */
  default Directory open(ReadContext context, String... path) {
    return open(context, LayerId.NONE, path);
  }

  /**
   * Opens the directory at {@code path}, which has to have the layer id {@code layer}.
   *
   * @throws DirectoryException if there is none, or if it has another layer id
   */
  Directory open(ReadContext context, LayerId layer, String... path);

  /**
   * Gives the directory at {@code from}, with all directories in it, the path {@code to}. Its keys
   * stay where they are, so those who have it open go on undisturbed.
   *
   * @throws DirectoryException if there is no directory at {@code from}, if there is one at {@code
   *     to} or none to put it in, or if {@code to} is inside {@code from} or in another partition
   */
  Directory move(TransactionContext context, List<String> from, List<String> to);

  /**
   * Gives this directory another path, counted from the root of the whole tree.
   *
   * @throws DirectoryException as {@link #move}
   */
  Directory moveTo(TransactionContext context, String... absolutePath);

  /**
   * Removes the directory at {@code path}, all directories in it, and all their keys. Without a
   * path: this one. A program that has it open can still write to its keys, but no other program
   * will find them; {@link Key#METADATA_VERSION} changes, so that layers which remember something
   * about its keys look again.
   *
   * @throws DirectoryException if there is none
   */
  void remove(TransactionContext context, String... path);

  /** {@link #remove} if there is such a directory; returns whether there was one. */
  boolean removeIfExists(TransactionContext context, String... path);

  /**
   * Whether there is a directory at {@code path}. Without a path: whether this one is still there.
   */
  boolean exists(ReadContext context, String... path);

  /**
   * The names of the directories in the one at {@code path}, in order. Without a path: in this one.
   *
   * @throws DirectoryException if there is none
   */
  List<String> list(ReadContext context, String... path);
}
