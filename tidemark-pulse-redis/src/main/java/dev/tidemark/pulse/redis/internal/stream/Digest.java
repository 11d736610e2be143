package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.internal.spi.NewEvent;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest by which the content of an event is compared. */
final class Digest {
  private Digest() {}

  static byte[] of(NewEvent event) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part :
          new byte[][] {RedisNames.bytes(event.name()), RedisNames.bytes(event.topic())}) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
        digest.update(part);
      }
      return digest.digest(event.payload());
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("Every JDK has SHA-256", impossible);
    }
  }
}
