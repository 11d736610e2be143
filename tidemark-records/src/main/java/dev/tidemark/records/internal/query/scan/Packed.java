package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.internal.keys.KeyElements;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Operations on packed elements of keys. Their bytes are in the order of their values, so they are
 * compared and copied without decoding.
 */
public final class Packed {
  /** Sorts after everything with the same bytes before it, because no element begins with ff. */
  static final byte END = (byte) 0xff;

  private static final int NULL = 0x00;
  private static final int BYTES = 0x01;
  private static final int STRING = 0x02;
  private static final int NESTED = 0x05;
  private static final int NEGATIVE_BIG = 0x0b;
  private static final int ZERO = 0x14;
  private static final int POSITIVE_BIG = 0x1d;
  private static final int FLOAT = 0x20;
  private static final int DOUBLE = 0x21;
  private static final int FALSE = 0x26;
  private static final int TRUE = 0x27;
  private static final int UUID = 0x30;
  private static final int VERSIONSTAMP = 0x33;

  private Packed() {}

  /** Packs {@code element} for a column that is {@code descending} or not. */
  public static byte[] of(@Nullable Object element, boolean descending) {
    if (descending) {
      return Tuple.of(KeyElements.descending(element)).pack();
    }
    return element instanceof BigInteger number && KeyElements.isHuge(number)
        ? KeyElements.hugeInOrder(number)
        : Tuple.of(element).pack();
  }

  /** The element whose bytes are those from {@code from} to {@code to}. */
  public static @Nullable Object element(byte[] bytes, int from, int to) {
    int code = bytes[from];
    if (code == STRING && isAscii(bytes, from + 1, to - 1)) {
      return new String(bytes, from + 1, to - from - 2, StandardCharsets.US_ASCII);
    }
    boolean positive = code > ZERO && code < ZERO + Long.BYTES && bytes[from + 1] != 0;
    return positive
        ? (Object) number(bytes, from + 1, to)
        : Tuple.unpack(Arrays.copyOfRange(bytes, from, to)).get(0);
  }

  private static boolean isAscii(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] <= 0) {
        return false;
      }
    }
    return true;
  }

  private static long number(byte[] bytes, int from, int to) {
    long number = 0;
    for (int at = from; at < to; at++) {
      number = (number << Byte.SIZE) | (bytes[at] & 0xff);
    }
    return number;
  }

  /** The end of the element that begins at {@code at}. */
  public static int end(byte[] bytes, int at) {
    int code = bytes[at];
    if (code == STRING || code == BYTES) {
      return afterZero(bytes, at + 1);
    }
    if (code > NEGATIVE_BIG && code < POSITIVE_BIG) {
      return at + 1 + Math.abs(code - ZERO);
    }
    return switch (code) {
      case NULL, FALSE, TRUE -> at + 1;
      case FLOAT -> at + 1 + Float.BYTES;
      case DOUBLE -> at + 1 + Double.BYTES;
      case UUID -> at + 1 + 2 * Long.BYTES;
      case VERSIONSTAMP -> at + 1 + 12;
      case POSITIVE_BIG -> at + 2 + (bytes[at + 1] & 0xff);
      case NEGATIVE_BIG -> at + 2 + (~bytes[at + 1] & 0xff);
      case NESTED -> afterNested(bytes, at + 1);
      default ->
          throw new DamagedRecordException(
              "A key has %d at byte %d, where an element should begin".formatted(code, at));
    };
  }

  /** The index behind the terminating zero of a text; a zero in the text is followed by ff. */
  private static int afterZero(byte[] bytes, int from) {
    int at = from;
    while (true) {
      while (bytes[at] != 0) {
        at++;
      }
      at++;
      if (at >= bytes.length || bytes[at] != END) {
        return at;
      }
      at++;
    }
  }

  private static int afterNested(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] != 0 || (at + 1 < bytes.length && bytes[at + 1] == END)) {
      at = bytes[at] == 0 ? at + 2 : end(bytes, at);
    }
    return at + 1;
  }

  /** The end of {@code count} elements, the first of which begins at {@code at}. */
  public static int end(byte[] bytes, int at, int count) {
    int end = at;
    for (int i = 0; i < count; i++) {
      end = end(bytes, end);
    }
    return end;
  }

  static byte[] concat(byte[] first, byte... second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Whether the bytes from {@code from} to {@code to} are one of {@code sorted}. */
  public static boolean isAmong(byte[][] sorted, byte[] bytes, int from, int to) {
    int first = 0;
    int last = sorted.length - 1;
    while (first <= last) {
      int middle = (first + last) >>> 1;
      byte[] one = sorted[middle];
      int order = Arrays.compareUnsigned(one, 0, one.length, bytes, from, to);
      if (order == 0) {
        return true;
      }
      first = order < 0 ? middle + 1 : first;
      last = order < 0 ? last : middle - 1;
    }
    return false;
  }
}
