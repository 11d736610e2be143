package dev.tidemark.records.query;

import java.util.Arrays;
import java.util.HexFormat;

/** A place among the results of a query, to go on from. Immutable. */
public final class Continuation {
  private final byte[] bytes;

  private Continuation(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The place that {@link #toBytes} was called of. */
  public static Continuation of(byte[] bytes) {
    return new Continuation(bytes.clone());
  }

  /** The place as bytes, to keep it or to send it elsewhere. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Continuation that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The bytes in hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
