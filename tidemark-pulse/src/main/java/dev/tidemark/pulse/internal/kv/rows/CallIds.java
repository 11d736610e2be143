package dev.tidemark.pulse.internal.kv.rows;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Ids of calls that add an event: sixteen random bytes, by which the caller finds the event. */
public final class CallIds {
  static final int BYTES = 16;

  private CallIds() {}

  public static byte[] fresh() {
    UUID random = UUID.randomUUID();
    return ByteBuffer.allocate(BYTES)
        .putLong(random.getMostSignificantBits())
        .putLong(random.getLeastSignificantBits())
        .array();
  }
}
