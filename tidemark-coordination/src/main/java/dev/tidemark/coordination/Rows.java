package dev.tidemark.coordination;

import dev.tidemark.kv.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** Up to {@code limit} rows whose keys begin with {@code prefix}, in the order of the keys. */
  List<Row> scan(Tuple prefix, int limit);

  /**
   * Up to {@code limit} rows behind {@code after} whose keys begin with {@code prefix}, without
   * conflicts and perhaps without the own writes: a look that a later {@link #get} of each row
   * confirms. For finding work.
   *
   * @param after where to go on; {@code prefix} itself to begin
   */
  List<Row> peek(Tuple prefix, Tuple after, int limit);

  /** Sets the row {@code key}. */
  void set(Tuple key, byte[] value);

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

  /** Forgets {@code channel}: nobody will listen to it again. */
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
