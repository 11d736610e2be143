package dev.tidemark.pulse.internal.spi;

import dev.tidemark.pulse.internal.common.ListText;
import java.util.List;
import java.util.Map;

/** One atomic write to a map. */
public sealed interface MapWrite {
  /** A write to one key. Only such writes can join a transaction. */
  sealed interface OfKey extends MapWrite {
    /** The key. */
    String key();
  }

  /** Sets a key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record Set(String key, byte[] value) implements OfKey {}

  /** Sets a key if it is absent. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record SetIfAbsent(String key, byte[] value) implements OfKey {}

  /** Sets a key if it has a value; an absent key never has. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record TestAndSet(String key, byte[] expected, byte[] value) implements OfKey {}

  /**
   * Adds to the decimal number under a key; an absent one is 0.
   *
   * <p>A value that is no decimal number of 64 bits, or a sum that does not fit, throws {@link
   * MapStore#notANumber} and changes nothing.
   */
  record Increment(String key, long delta) implements OfKey {}

  /**
   * Appends to a list, which is kept as {@link ListText} describes; values it has already are left
   * out if {@code unique}. With nothing to append nothing is written.
   */
  record Append(String key, List<byte[]> values, boolean unique) implements OfKey {}

  /**
   * Takes all occurrences of values out of a list; an empty list goes. With nothing to take out
   * nothing is written.
   */
  record RemoveValues(String key, List<byte[]> values) implements OfKey {}

  /** Deletes a key; nothing is written if it is absent. */
  record Delete(String key) implements OfKey {}

  /** Deletes a key if it has a value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record TestAndDelete(String key, byte[] expected) implements OfKey {}

  /**
   * Deletes all keys if each of {@code expected} has its value; nothing if the map is not there.
   */
  record Reset(Map<String, byte[]> expected) implements MapWrite {}

  /** Deletes the map with everything it has. */
  record Destroy() implements MapWrite {}
}
