package dev.tidemark.records.changes;

import dev.tidemark.kv.Transaction;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.util.List;

/**
 * The change streams of a record space. Those that its schema declares are there when it is opened;
 * others are added and removed while it is in use.
 */
public interface ChangeStreams {
  /** The streams that there are now, in the order of their names. */
  List<ChangeStreamSpec> list();

  /**
   * Adds {@code stream}, or has the one with its name work in another way from now on. Its log
   * begins with the next commit; that of a stream that changes is kept.
   *
   * <p>A library that does not know change streams refuses to write to the store from now on.
   *
   * @throws dev.tidemark.records.SchemaException if it does not fit the schema or there are too
   *     many streams
   */
  void add(ChangeStreamSpec stream);

  /**
   * Removes the stream called {@code name} with its log; answers whether it was there. One that the
   * schema declares comes back, empty, only with a schema of a higher version that declares it.
   */
  boolean remove(String name);

  /**
   * The log of the stream called {@code name}.
   *
   * @throws ChangeLogException if there is none
   */
  ChangeLog log(String name);

  /**
   * Has all changes that {@code tx} makes in this space carry {@code tag}. The last tag counts.
   *
   * @param tag 200 characters at most
   */
  void tag(Transaction tx, String tag);

  /**
   * Has the streams that {@linkplain ChangeStreamSpec#optOut allow it} record nothing that {@code
   * tx} changes in this space, before this call and after it. Other streams record it.
   */
  void exclude(Transaction tx);
}
