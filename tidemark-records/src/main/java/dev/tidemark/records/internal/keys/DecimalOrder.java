package dev.tidemark.records.internal.keys;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/*
 * Decimal numbers as bytes in their order: one byte for the sign, then for a number that is not zero
 * the power of ten of its first digit (four bytes, shifted to be unsigned) and its digits as ASCII
 * without trailing zeros. Where one number's digits begin another's, the shorter is the smaller, as in
 * the order of bytes. A negative number has everything after the sign inverted and a byte ff at the end,
 * so that there the shorter is the larger.
 */

/** Decimal numbers as bytes in the order of the numbers; equal numbers of other scale are equal. */
final class DecimalOrder {
  private static final byte NEGATIVE = 0;
  private static final byte ZERO = 1;
  private static final byte POSITIVE = 2;

  private DecimalOrder() {}

  static byte[] encode(BigDecimal value) {
    if (value.signum() == 0) {
      return new byte[] {ZERO};
    }
    BigDecimal stripped = value.stripTrailingZeros();
    String digits = stripped.unscaledValue().abs().toString();
    long exponent = (long) digits.length() - stripped.scale();
    if (exponent != (int) exponent) {
      throw new IllegalArgumentException("The decimal number is too large to be part of a key");
    }
    boolean negative = value.signum() < 0;
    byte[] bytes = new byte[5 + digits.length() + (negative ? 1 : 0)];
    bytes[0] = POSITIVE;
    int shifted = (int) exponent ^ 0x8000_0000;
    for (int i = 0; i < 4; i++) {
      bytes[1 + i] = (byte) (shifted >>> (24 - 8 * i));
    }
    byte[] ascii = digits.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(ascii, 0, bytes, 5, ascii.length);
    if (negative) {
      bytes[0] = NEGATIVE;
      for (int i = 1; i < bytes.length - 1; i++) {
        bytes[i] = (byte) ~bytes[i];
      }
      bytes[bytes.length - 1] = (byte) 0xff;
    }
    return bytes;
  }

  static BigDecimal decode(byte[] encoded) {
    if (encoded[0] == ZERO) {
      return BigDecimal.ZERO;
    }
    boolean negative = encoded[0] == NEGATIVE;
    byte[] bytes = negative ? Arrays.copyOf(encoded, encoded.length - 1) : encoded.clone();
    if (negative) {
      for (int i = 1; i < bytes.length; i++) {
        bytes[i] = (byte) ~bytes[i];
      }
    }
    int shifted = 0;
    for (int i = 1; i < 5; i++) {
      shifted = (shifted << 8) | (bytes[i] & 0xff);
    }
    String digits = new String(bytes, 5, bytes.length - 5, StandardCharsets.US_ASCII);
    long scale = digits.length() - (long) (shifted ^ 0x8000_0000);
    BigInteger unscaled = new BigInteger(digits);
    return new BigDecimal(negative ? unscaled.negate() : unscaled, Math.toIntExact(scale));
  }
}
