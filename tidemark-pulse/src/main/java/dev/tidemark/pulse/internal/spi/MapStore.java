package dev.tidemark.pulse.internal.spi;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.PulseException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The entries of one map and the changes to them. Keys are texts and values bytes. A write is one
 * atomic step that changes the entry and tells the copies.
 */
public interface MapStore {
  /** The longest key, in bytes of UTF-8. */
  int KEY_BYTES_MAX = 1_024;

  /** The largest value, also of a whole list: it fits a value of Tidemark's store with its key. */
  int VALUE_BYTES_MAX = 90_000;

  /** Carries out {@code write} atomically. */
  Outcome apply(MapWrite write);

  /**
   * Carries out {@code write} when {@code tx} commits.
   *
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  Outcome apply(Transaction tx, MapWrite.OfKey write);

  /**
   * Sends the map and then every change to {@code listener}, one at a time and in order, until the
   * feed is closed. Returns when the first snapshot has been delivered. Whenever changes may have
   * been missed (a gap in the revisions, a reconnect, another incarnation of the map, expiry) a new
   * snapshot is sent.
   */
  Feed follow(Consumer<Update> listener);

  /** What an {@link MapWrite.Increment} throws where there is no number to add to. */
  static PulseException notANumber(String map, String key) {
    return new PulseException(
        "The value of '%s' in the map '%s' is no decimal number of 64 bits, or the sum would not be one; it is unchanged. Set it to a number first"
            .formatted(key, map));
  }

  /** A running delivery of changes. */
  interface Feed extends AutoCloseable {
    /** Ends it within a second; the listener is not called afterwards. Idempotent. */
    @Override
    void close();
  }

  /**
   * A position in the order of the writes of one map, greater for later ones.
   *
   * @param incarnation which life of the map: different for each, and greater for later ones as far
   *     as the clock of the store is right. While there is no map, a number that lies between those
   *     of the lives before and after
   * @param revision the place in that life, as unsigned bytes
   */
  record Position(long incarnation, Key revision) implements Comparable<Position> {
    private static final Comparator<Position> ORDER =
        Comparator.comparingLong(Position::incarnation).thenComparing(Position::revision);

    @Override
    public int compareTo(Position other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * What a write did.
   *
   * @param previous the entry before; empty for a write to the whole map
   * @param current the entry afterwards; empty for a write to the whole map
   * @param changed whether something was written
   * @param position where in the order it was written, or a later place that copies reach; empty if
   *     nothing was written, before the commit of a transaction, or if the store did not tell
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

    /**
     * All entries; the copy forgets what it had.
     *
     * @param lastReset the revision of the last reset in this incarnation; the empty key if there
     *     was none. So a copy sees whether it has missed one
     */
    record Snapshot(Position position, Key lastReset, Map<String, byte[]> entries)
        implements Update {}

    /** A key was set. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    record Put(Position position, String key, byte[] value) implements Update {}

    /** A key was deleted. */
    record Remove(Position position, String key) implements Update {}

    /** All keys were deleted. */
    record Reset(Position position) implements Update {}

    /** What one transaction did, in order. Readers of the copy see all of it or nothing. */
    record Commit(Position position, List<Update> changes) implements Update {}
  }
}
