package dev.tidemark.pulse.internal;

import java.util.List;
import java.util.Map;

/** One atomic write to a map. */
public sealed interface MapWrite {
  /** Sets a key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record Set(String key, byte[] value) implements MapWrite {}

  /** Sets a key if it is absent. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record SetIfAbsent(String key, byte[] value) implements MapWrite {}

  /** Sets a key if it has a value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record TestAndSet(String key, byte[] expected, byte[] value) implements MapWrite {}

  /** Adds to the decimal number under a key. */
  record Increment(String key, long delta) implements MapWrite {}

  /** Appends to a list; those it has already are left out if {@code unique}. */
  record Append(String key, List<byte[]> values, boolean unique) implements MapWrite {}

  /** Takes values out of a list; an empty list goes. */
  record RemoveValues(String key, List<byte[]> values) implements MapWrite {}

  /** Deletes a key. */
  record Delete(String key) implements MapWrite {}

  /** Deletes a key if it has a value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  record TestAndDelete(String key, byte[] expected) implements MapWrite {}

  /** Deletes all keys if each of {@code expected} has its value. */
  record Reset(Map<String, byte[]> expected) implements MapWrite {}

  /** Ends this incarnation of the map. */
  record Destroy() implements MapWrite {}
}
