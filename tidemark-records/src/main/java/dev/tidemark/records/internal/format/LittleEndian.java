package dev.tidemark.records.internal.format;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Numbers in the little-endian form of the store's ADD. */
public final class LittleEndian {
  private LittleEndian() {}

  public static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  public static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** {@code value}, which must fit, in {@code length} bytes. */
  public static byte[] bytes(BigInteger value, int length) {
    byte[] digits = reversed(value.toByteArray());
    byte[] bytes = Arrays.copyOf(digits, length);
    Arrays.fill(bytes, digits.length, length, (byte) (value.signum() < 0 ? 0xff : 0));
    return bytes;
  }

  /** The signed number in all of {@code bytes}. */
  public static BigInteger whole(byte[] bytes) {
    return new BigInteger(reversed(bytes));
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
