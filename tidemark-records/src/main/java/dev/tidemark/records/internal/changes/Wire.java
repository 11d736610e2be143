package dev.tidemark.records.internal.changes;

import java.util.Arrays;

/**
 * A record in wire format.
 *
 * @param bytes its bytes, from {@code start} on; nobody changes them
 * @param start where it begins
 */
@SuppressWarnings("ArrayRecordComponent") // compared by isSame
public record Wire(byte[] bytes, int start) {
  /** The record that {@code bytes} are. */
  public Wire(byte[] bytes) {
    this(bytes, 0);
  }

  boolean isSame(Wire other) {
    return Arrays.equals(bytes, start, bytes.length, other.bytes, other.start, other.bytes.length);
  }

  byte[] copy() {
    return start == 0 ? bytes : Arrays.copyOfRange(bytes, start, bytes.length);
  }

  WireFields fields() {
    return WireFields.of(bytes, start);
  }
}
