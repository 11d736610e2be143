package dev.tidemark.records.query;

import java.util.Arrays;
import java.util.HexFormat;

/** A position in the results of a query from which another run resumes. Immutable. */
public final class Continuation {
  private final byte[] bytes;

  private Continuation(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The continuation that {@link #toBytes} serialized. */
  public static Continuation of(byte[] bytes) {
    return new Continuation(bytes.clone());
  }

  /** The serialized continuation, to store it or to send it elsewhere. */
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
