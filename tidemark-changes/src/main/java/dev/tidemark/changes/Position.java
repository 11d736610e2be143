package dev.tidemark.changes;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A place in a change stream, in a form that only its source understands.
 *
 * <p>Positions of one source are ordered by {@link ChangeSource#compare}. Several records may share
 * a position, and there is no next position: a reader that goes on from a position reads the
 * records at that position again. The bytes can be stored and read back by another process.
 */
public final class Position {
  private static final HexFormat HEX = HexFormat.of();

  private final byte[] bytes;

  private Position(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The position with these bytes, which nobody else has. */
  static Position wrap(byte[] bytes) {
    return new Position(bytes);
  }

  /** The position with these bytes; the array is copied. */
  public static Position of(byte[] bytes) {
    return new Position(bytes.clone());
  }

  /**
   * Reads what {@link #toString} printed.
   *
   * @throws IllegalArgumentException if {@code text} is not hexadecimal
   */
  public static Position parse(String text) {
    try {
      return new Position(HEX.parseHex(text));
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(
          "'" + text + "' is no position; a position is printed as hexadecimal digits", malformed);
    }
  }

  /** A copy of the bytes. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /** Orders positions as unsigned bytes, for sources whose positions have that order. */
  public int compareBytes(Position other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Position that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The bytes as hexadecimal digits. */
  @Override
  public String toString() {
    return HEX.formatHex(bytes);
  }
}
