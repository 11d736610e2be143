package dev.tidemark.records.internal.query.match;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some columns of one record, read from its bytes without making the record. Each has a slot with a
 * number, with a slice of the bytes, or with an object.
 */
final class WireRow {
  private static final byte NOTHING = 0;
  private static final byte NUMBER = 1;
  private static final byte SLICE = 2;
  private static final byte OBJECT = 3;

  private final byte[] states;
  private final long[] numbers;
  private final int[] starts;
  private final int[] ends;
  private final byte[][] slices;
  private final @Nullable Object[] objects;

  WireRow(int slots) {
    this.states = new byte[slots];
    this.numbers = new long[slots];
    this.starts = new int[slots];
    this.ends = new int[slots];
    this.slices = new byte[slots][];
    this.objects = new @Nullable Object[slots];
  }

  void clear(int slot) {
    states[slot] = NOTHING;
  }

  void number(int slot, long number) {
    states[slot] = NUMBER;
    numbers[slot] = number;
  }

  void slice(int slot, byte[] bytes, int start, int end) {
    states[slot] = SLICE;
    slices[slot] = bytes;
    starts[slot] = start;
    ends[slot] = end;
  }

  void object(int slot, Object object) {
    states[slot] = OBJECT;
    objects[slot] = object;
  }

  boolean isNull(int slot) {
    return states[slot] == NOTHING;
  }

  long number(int slot) {
    return numbers[slot];
  }

  @Nullable Object object(int slot) {
    return states[slot] == OBJECT ? objects[slot] : null;
  }

  String text(int slot) {
    return new String(
        slices[slot], starts[slot], ends[slot] - starts[slot], StandardCharsets.UTF_8);
  }

  int compareSlice(int slot, byte[] other) {
    return Arrays.compareUnsigned(slices[slot], starts[slot], ends[slot], other, 0, other.length);
  }

  boolean equalsSlice(int slot, byte[] other) {
    return Arrays.equals(slices[slot], starts[slot], ends[slot], other, 0, other.length);
  }

  boolean sliceStartsWith(int slot, byte[] prefix) {
    return ends[slot] - starts[slot] >= prefix.length
        && Arrays.equals(
            slices[slot], starts[slot], starts[slot] + prefix.length, prefix, 0, prefix.length);
  }

  /** Copies a slot of {@code other}, which has the same slots. */
  void copy(WireRow other, int slot) {
    states[slot] = other.states[slot];
    numbers[slot] = other.numbers[slot];
    slices[slot] = other.slices[slot];
    starts[slot] = other.starts[slot];
    ends[slot] = other.ends[slot];
    objects[slot] = other.objects[slot];
  }
}
