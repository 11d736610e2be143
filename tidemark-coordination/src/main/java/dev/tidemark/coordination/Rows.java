package dev.tidemark.coordination;

import dev.tidemark.kv.tuple.Tuple;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ordered rows, as one transition sees them: with its own writes, and with a conflict if something
 * that it read is changed by another transition.
 *
 * <p>A key is a tuple of texts and integers. Its first element is the kind of the row, so that a
 * prefix of one element is a table.
 */
public interface Rows {
  /** The row {@code key}, if it is there. */
  Optional<byte[]> get(Tuple key);

  /** Those of {@code keys} that are there. One step to the store, however many there are. */
  Map<Tuple, byte[]> getAll(Collection<Tuple> keys);

  /**
   * The same without conflicts: what is found may have changed when the writes happen. A later
   * {@link #get} or {@link #getAll} of the same row costs no step and adds the conflict. On a store
   * without transactions it is {@link #getAll}.
   */
  Map<Tuple, byte[]> peekAll(Collection<Tuple> keys);

  /**
   * Whether the writes happen with a transaction that is not this transition's own. It may be long,
   * so it should not read what others write often: {@link #peekAll} and {@link #add} do not.
   */
  boolean isJoined();

  /** Up to {@code limit} rows whose keys begin with {@code prefix}, in the order of the keys. */
  List<Row> scan(Tuple prefix, int limit);

  /**
   * Up to {@code limit} rows behind {@code after} whose keys begin with {@code prefix}, without
   * conflicts and perhaps without the own writes: a later {@link #get} of each row confirms it. For
   * finding work.
   *
   * @param after where to go on; {@code prefix} itself to begin
   */
  List<Row> peek(Tuple prefix, Tuple after, int limit);

  /** Sets the row {@code key}. */
  void set(Tuple key, byte[] value);

  /**
   * Adds {@code delta} to the counter in the row {@code key}, which is 0 if the row is not there.
   * See {@link #counter}.
   */
  void add(Tuple key, long delta);

  /** Whether {@link #add} reads nothing, so that transitions that add do not conflict. */
  boolean addsWithoutReading();

  /** The number in a row of {@link #add}: 8 bytes, little-endian; 0 for none. */
  static long counter(byte @Nullable [] row) {
    return row == null ? 0 : ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** What a row of {@link #add} holds for {@code number}. */
  static byte[] counter(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  /** Removes the row {@code key}. */
  void clear(Tuple key);

  /** Removes all rows whose keys begin with {@code prefix} and have more elements. */
  void clearAll(Tuple prefix);

  /**
   * Wakes the listeners of {@code channel} when the writes have happened.
   *
   * @param hint handed to them where the store can do so without another read; may be lost. Empty
   *     for none
   */
  void wake(String channel, byte[] hint);

  /** Forgets {@code channel}, which has no listener any more. */
  void forget(String channel);

  /**
   * A row.
   *
   * @param key its key
   * @param value what it holds
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record Row(Tuple key, byte[] value) {}
}
