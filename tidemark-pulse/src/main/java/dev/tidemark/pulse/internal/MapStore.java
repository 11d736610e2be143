package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Transaction;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The entries of one map and the changes to them. Keys are texts and values bytes. A write is one
 * atomic step that changes the entry and tells the copies.
 */
public interface MapStore {
  /** Carries out {@code write} atomically. */
  Outcome apply(MapWrite write);

  /** Carries out {@code write} when {@code tx} commits. */
  Outcome apply(Transaction tx, MapWrite write);

  /**
   * Sends the map and then every change to {@code listener}, one at a time and in order, until the
   * feed is closed. Returns when the first snapshot has been delivered. Whenever changes may have
   * been missed (a gap in the revisions, a reconnect, another incarnation of the map, expiry) a new
   * snapshot is sent.
   */
  Feed follow(Consumer<Update> listener);

  /** A running delivery of changes. */
  interface Feed extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * A position in the order of the writes of one map: of two of the same incarnation the later one
   * is greater. Those of another incarnation are not comparable, and a waiter for one is released.
   *
   * @param incarnation which life of the map
   * @param revision the place in it; unsigned bytes in order
   */
  record Position(String incarnation, dev.tidemark.kv.Key revision) {}

  /**
   * What a write did.
   *
   * @param previous the entry before
   * @param current the entry afterwards
   * @param changed whether something was written
   * @param position where in the order it was written; empty if nothing was, or if it is not known
   *     before a commit
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record Outcome(
      Optional<byte[]> previous,
      Optional<byte[]> current,
      boolean changed,
      Optional<Position> position) {}

  /** Something that a copy learns. */
  sealed interface Update {
    /** After this update the copy is as the map was there. */
    Position position();

    /** All entries; the copy forgets what it had. */
    record Snapshot(Position position, Map<String, byte[]> entries) implements Update {}

    /** A key was set. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    record Put(Position position, String key, byte[] value) implements Update {}

    /** A key was deleted. */
    record Remove(Position position, String key) implements Update {}

    /** All keys were deleted. */
    record Reset(Position position) implements Update {}
  }
}
