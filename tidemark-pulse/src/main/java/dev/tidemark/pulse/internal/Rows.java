package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Tuple;
import java.util.List;
import java.util.Optional;

/**
 * Ordered rows, as one transition sees them: with its own writes, and with a conflict if something
 * that it read is changed by another transition.
 */
public interface Rows {
  /** The row {@code key}, if it is there. */
  Optional<byte[]> get(Tuple key);

  /** Up to {@code limit} rows whose keys begin with {@code prefix}, in the order of the keys. */
  List<Row> scan(Tuple prefix, int limit);

  /** As {@link #scan(Tuple, int)}, only rows behind {@code after}. */
  List<Row> scan(Tuple prefix, Tuple after, int limit);

  /**
   * As {@link #scan(Tuple, int)} without conflicts: a look that a later {@link #get} of each row
   * confirms. For finding work.
   */
  List<Row> peek(Tuple prefix, int limit);

  /** Sets the row {@code key}. */
  void set(Tuple key, byte[] value);

  /** Removes the row {@code key}. */
  void clear(Tuple key);

  /** Removes all rows whose keys begin with {@code prefix}. */
  void clearAll(Tuple prefix);

  /**
   * Wakes the listeners of {@code channel} when the writes have happened.
   *
   * @param hint handed to them where the store can do so without another read; may be lost
   */
  void wake(String channel, String hint);

  /**
   * A row.
   *
   * @param key its key
   * @param value what it holds
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record Row(Tuple key, byte[] value) {}
}
