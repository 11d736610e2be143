package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.internal.spi.NewEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a stored event: a format byte, the tag of the call that added it, name, topic and
 * payload.
 */
public final class EventFormat {
  static final byte FORMAT = 1;
  public static final byte[] NO_TAG = {};

  private EventFormat() {}

  /**
   * The bytes of {@code event}.
   *
   * @param tag what its adder recognises it by; {@link #NO_TAG} if it never needs to
   */
  public static byte[] encode(NewEvent event, byte[] tag) {
    byte[] name = event.name().getBytes(StandardCharsets.UTF_8);
    byte[] topic = event.topic().getBytes(StandardCharsets.UTF_8);
    byte[] payload = event.payload();
    return ByteBuffer.allocate(6 + tag.length + name.length + topic.length + payload.length)
        .put(FORMAT)
        .put((byte) tag.length)
        .put(tag)
        .putShort((short) name.length)
        .put(name)
        .putShort((short) topic.length)
        .put(topic)
        .put(payload)
        .array();
  }

  public static boolean hasTag(byte[] value, byte[] tag) {
    return value[1] == tag.length && Arrays.equals(value, 2, 2 + tag.length, tag, 0, tag.length);
  }

  /**
   * The event in {@code value}.
   *
   * @param stream names it in the error if this version cannot read it
   */
  public static StoredEvent decode(String stream, EventId id, byte[] value, int deliveries) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    byte format = buffer.get();
    if (format != FORMAT) {
      throw new PulseException(
          "Event %s of stream '%s' has format %d; this version of Tidemark reads %d. Upgrade it"
              .formatted(id, stream, format, FORMAT));
    }
    buffer.position(2 + buffer.get());
    String name = text(buffer);
    String topic = text(buffer);
    byte[] payload = new byte[buffer.remaining()];
    buffer.get(payload);
    return new StoredEvent(id, name, topic, payload, deliveries);
  }

  private static String text(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.getShort() & 0xffff];
    buffer.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
