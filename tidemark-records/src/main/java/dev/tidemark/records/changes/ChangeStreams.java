package dev.tidemark.records.changes;

import dev.tidemark.kv.Transaction;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.util.List;

/**
 * The change streams of a record space. Opening the space creates those that its schema declares;
 * others can be added and removed while it is in use.
 */
public interface ChangeStreams {
  /** The current streams, in the order of their names. */
  List<ChangeStreamSpec> list();

  /**
   * Adds {@code stream}, or redefines the stream of that name. The log of a new stream begins with
   * the next commit; a redefined stream keeps its log.
   *
   * <p>A library that does not know change streams refuses to write to the store from now on.
   *
   * @throws dev.tidemark.records.SchemaException if it does not fit the schema or there are too
   *     many streams
   */
  void add(ChangeStreamSpec stream);

  /**
   * Removes the stream called {@code name} with its log, and returns whether it existed. A declared
   * stream comes back, empty, only with a schema of a higher version that declares it.
   */
  boolean remove(String name);

  /**
   * The log of the stream called {@code name}.
   *
   * @throws ChangeLogException if there is none
   */
  ChangeLog log(String name);

  /**
   * Tags all changes that {@code tx} makes in this space with {@code tag}. The last tag wins.
   *
   * @param tag 200 characters at most
   */
  void tag(Transaction tx, String tag);

  /**
   * Excludes the changes that {@code tx} makes in this space, before and after this call, from the
   * streams that {@linkplain ChangeStreamSpec#optOut allow it}. Other streams record them.
   */
  void exclude(Transaction tx);
}
