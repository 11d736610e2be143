package dev.tidemark.kv.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Reads single packed elements, which {@link TupleScan} has checked before. */
public final class TupleDecoder {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private TupleDecoder() {}

  public static String string(byte[] bytes, int begin, int end) {
    int zero = zero(bytes, begin + 1, end - 1);
    if (zero == end - 1) {
      return new String(bytes, begin + 1, end - begin - 2, StandardCharsets.UTF_8);
    }
    return new String(byteString(bytes, begin, end), StandardCharsets.UTF_8);
  }

  public static byte[] byteString(byte[] bytes, int begin, int end) {
    byte[] result = new byte[end - begin - 2];
    int length = 0;
    int from = begin + 1;
    while (from < end - 1) {
      int zero = zero(bytes, from, end - 1);
      int upTo = Math.min(zero + 1, end - 1);
      System.arraycopy(bytes, from, result, length, upTo - from);
      length += upTo - from;
      from = zero + 2;
    }
    return length == result.length ? result : Arrays.copyOf(result, length);
  }

  /** Where the first zero byte is; {@code end} if there is none before it. */
  private static int zero(byte[] bytes, int begin, int end) {
    int i = begin;
    while (i < end && bytes[i] != 0) {
      i++;
    }
    return i;
  }

  /** Whether the integer at {@code at} is one that a long can hold. */
  public static boolean fitsLong(byte[] bytes, int at) {
    byte code = bytes[at];
    if (code == TupleCode.POSITIVE_BIG || code == TupleCode.NEGATIVE_BIG) {
      return false;
    }
    if (code == TupleCode.ZERO + 8) {
      return bytes[at + 1] >= 0;
    }
    // The complement of 2^63 is the least that fits, so those below it do not.
    return code != TupleCode.ZERO - 8
        || Long.compareUnsigned((long) LONG.get(bytes, at + 1), Long.MAX_VALUE) >= 0;
  }

  /** The integer at {@code at}, which fits. */
  public static long integer(byte[] bytes, int at) {
    int length = bytes[at] - TupleCode.ZERO;
    if (length >= 0) {
      return digits(bytes, at + 1, length);
    }
    long complement = digits(bytes, at + 1, -length);
    long mask = length == -8 ? -1 : (1L << (-8 * length)) - 1;
    return -(complement ^ mask);
  }

  private static long digits(byte[] bytes, int begin, int length) {
    if (length == 8) {
      return (long) LONG.get(bytes, begin);
    }
    long value = 0;
    for (int i = begin; i < begin + length; i++) {
      value = (value << 8) | (bytes[i] & 0xff);
    }
    return value;
  }

  public static BigInteger bigInteger(byte[] bytes, int at) {
    byte code = bytes[at];
    if (fitsLong(bytes, at)) {
      return BigInteger.valueOf(integer(bytes, at));
    }
    boolean big = code == TupleCode.POSITIVE_BIG || code == TupleCode.NEGATIVE_BIG;
    boolean negative = code < TupleCode.ZERO;
    int begin = big ? at + 2 : at + 1;
    int length = big ? (negative ? ~bytes[at + 1] : bytes[at + 1]) & 0xff : 8;
    if (!negative) {
      return new BigInteger(1, bytes, begin, length);
    }
    byte[] magnitude = new byte[length];
    for (int i = 0; i < length; i++) {
      magnitude[i] = (byte) ~bytes[begin + i];
    }
    return new BigInteger(-1, magnitude);
  }

  public static float real32(byte[] bytes, int at) {
    int bits = (int) INT.get(bytes, at + 1);
    return Float.intBitsToFloat(bits < 0 ? bits ^ Integer.MIN_VALUE : ~bits);
  }

  public static double real64(byte[] bytes, int at) {
    long bits = (long) LONG.get(bytes, at + 1);
    return Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
  }

  public static UUID uuid(byte[] bytes, int at) {
    return new UUID((long) LONG.get(bytes, at + 1), (long) LONG.get(bytes, at + 9));
  }
}
