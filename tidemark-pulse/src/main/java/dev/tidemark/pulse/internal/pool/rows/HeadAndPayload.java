package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.kv.tuple.Tuple;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A row that holds some elements and a payload. The payload stands as it is behind the packed
 * elements: packed with them it could take up to twice its size, and more than a row may.
 */
final class HeadAndPayload {
  private HeadAndPayload() {}

  static byte[] encode(Tuple head, byte[] payload) {
    byte[] packed = head.pack();
    return ByteBuffer.allocate(Integer.BYTES + packed.length + payload.length)
        .putInt(packed.length)
        .put(packed)
        .put(payload)
        .array();
  }

  static Tuple head(byte[] row) {
    return Tuple.unpack(Arrays.copyOfRange(row, Integer.BYTES, payloadAt(row)));
  }

  static byte[] payload(byte[] row) {
    return Arrays.copyOfRange(row, payloadAt(row), row.length);
  }

  private static int payloadAt(byte[] row) {
    return Integer.BYTES + ByteBuffer.wrap(row).getInt();
  }
}
