package dev.tidemark.node.internal.tour;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers as values: eight little-endian bytes, as the store's atomic operations take them. */
final class Numbers {
  private Numbers() {}

  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  static long from(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
