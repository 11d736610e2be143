package dev.tidemark.records.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers as the store's ADD counts them. */
final class LittleEndian {
  private LittleEndian() {}

  static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
