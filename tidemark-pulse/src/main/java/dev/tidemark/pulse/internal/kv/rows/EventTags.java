package dev.tidemark.pulse.internal.kv.rows;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Tags of events: sixteen bytes that no other event has. */
public final class EventTags {
  static final int BYTES = 16;

  private EventTags() {}

  /** A new tag. */
  public static byte[] fresh() {
    UUID random = UUID.randomUUID();
    return ByteBuffer.allocate(BYTES)
        .putLong(random.getMostSignificantBits())
        .putLong(random.getLeastSignificantBits())
        .array();
  }
}
