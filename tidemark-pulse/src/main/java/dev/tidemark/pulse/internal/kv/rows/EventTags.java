package dev.tidemark.pulse.internal.kv.rows;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Sixteen bytes that nobody else has. */
public final class Marks {
  static final int BYTES = 16;

  private Marks() {}

  public static byte[] fresh() {
    UUID random = UUID.randomUUID();
    return ByteBuffer.allocate(BYTES)
        .putLong(random.getMostSignificantBits())
        .putLong(random.getLeastSignificantBits())
        .array();
  }
}
