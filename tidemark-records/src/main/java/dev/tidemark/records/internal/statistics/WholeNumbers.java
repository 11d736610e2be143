package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole numbers from packed keys. Numbers have variable length, so their bytes do not show
 * how far apart they are. Those of descending columns, which are byte strings with all bits
 * reversed, count as negated.
 */
final class WholeNumbers {
  /** There is no whole number. */
  static final int NONE = -1;

  /** The code of a byte string in a packed tuple. */
  private static final int BYTES_CODE = 0x01;

  /** The code of 0; numbers of n bytes have a code that differs by n. */
  private static final int ZERO_CODE = 0x14;

  private WholeNumbers() {}

  /**
   * Where the first element in which {@code min} and {@code max} differ begins in the packed keys,
   * if it is a whole number; else {@link #NONE}.
   */
  static int placeIn(Tuple min, Tuple max) {
    for (int i = 0; i < min.size() && i < max.size(); i++) {
      if (!min.subTuple(0, i + 1).equals(max.subTuple(0, i + 1))) {
        return isWhole(min.get(i)) && isWhole(max.get(i)) ? min.subTuple(0, i).pack().length : NONE;
      }
    }
    return NONE;
  }

  private static boolean isWhole(@Nullable Object element) {
    if (element instanceof byte[] inverted && inverted.length >= 2) {
      int length = length(~inverted[0] & 0xff);
      return length <= Long.BYTES
          && inverted.length == 1 + length + 1
          && inverted[inverted.length - 1] == (byte) 0xff;
    }
    return element instanceof Long;
  }

  private static int length(int code) {
    return Math.abs(code - ZERO_CODE);
  }

  /**
   * The whole number that begins at {@code at}; one more if {@code key} is behind all that begin
   * with it. Other elements are before or after all numbers.
   */
  static double at(byte[] key, int at) {
    if (at >= key.length) {
      return Double.NEGATIVE_INFINITY;
    }
    return (key[at] & 0xff) == BYTES_CODE ? descending(key, at + 1) : ascending(key, at);
  }

  private static double ascending(byte[] key, int at) {
    int code = key[at] & 0xff;
    int length = length(code);
    if (length > Long.BYTES || at + 1 + length > key.length) {
      return code < ZERO_CODE ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    double number = 0;
    for (int i = at + 1; i <= at + length; i++) {
      number = number * 256 + (key[i] & 0xff);
    }
    return signed(number, code) + passed(key, at + 1 + length);
  }

  /** A zero byte of a byte string is followed by ff. */
  private static double descending(byte[] key, int at) {
    if (at >= key.length) {
      return Double.NEGATIVE_INFINITY;
    }
    int code = ~key[at] & 0xff;
    int length = length(code);
    double other = code < ZERO_CODE ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    if (length > Long.BYTES) {
      return other;
    }
    double number = 0;
    int from = at + 1;
    for (int i = 0; i < length; i++) {
      if (from >= key.length) {
        return other;
      }
      number = number * 256 + (~key[from] & 0xff);
      from += key[from] == 0 ? 2 : 1;
    }
    return -signed(number, code) + passed(key, from + 2); // behind the ff and the end
  }

  private static double signed(double number, int code) {
    return code < ZERO_CODE ? number - (Math.scalb(1.0, Byte.SIZE * length(code)) - 1) : number;
  }

  private static int passed(byte[] key, int behind) {
    return behind < key.length && key[behind] == (byte) 0xff ? 1 : 0;
  }
}
