package dev.tidemark.pulse;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An event that a sink was given too often without acknowledging it.
 *
 * <p>An event of a dead-letter stream has the name and the topic of the original; its payload says
 * where the original was and carries its payload. {@link #of} reads it:
 *
 * {@snippet :
 * for (Event event : deadLetters.read()) {
 *   DeadLetter letter = DeadLetter.of(event);
 *   orders.add(letter.name(), letter.topic(), letter.payload());
 * }
 * }
 */
public final class DeadLetter {
  private static final byte FORMAT = 1;
  private static final int FIXED_BYTES = 1 + 2 + 8 + 8 + 4;

  private final String stream;
  private final EventId id;
  private final int deliveries;
  private final String name;
  private final String topic;
  private final byte[] payload;

  /** An event {@code id} of {@code stream} that was delivered {@code deliveries} times. */
  public DeadLetter(
      String stream, EventId id, int deliveries, String name, String topic, byte[] payload) {
    this.stream = stream;
    this.id = id;
    this.deliveries = deliveries;
    this.name = name;
    this.topic = topic;
    this.payload = payload.clone();
  }

  /**
   * The letter that {@code event}, of a dead-letter stream, carries.
   *
   * @throws IllegalArgumentException if it carries none
   */
  public static DeadLetter of(Event event) {
    ByteBuffer buffer = ByteBuffer.wrap(event.payload());
    try {
      byte format = buffer.get();
      if (format != FORMAT) {
        throw notOne(event, null);
      }
      byte[] stream = new byte[buffer.getShort() & 0xffff];
      buffer.get(stream);
      EventId id = new EventId(buffer.getLong(), buffer.getLong());
      int deliveries = buffer.getInt();
      byte[] payload = new byte[buffer.remaining()];
      buffer.get(payload);
      String from = new String(stream, StandardCharsets.UTF_8);
      return new DeadLetter(from, id, deliveries, event.name(), event.topic(), payload);
    } catch (BufferUnderflowException mistake) {
      throw notOne(event, mistake);
    }
  }

  private static IllegalArgumentException notOne(Event event, @Nullable Exception cause) {
    return new IllegalArgumentException(
        event + " is no dead letter; only events of a dead-letter stream are", cause);
  }

  /** The payload of the event that carries this letter. */
  public byte[] encode() {
    byte[] from = stream.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + from.length + payload.length)
        .put(FORMAT)
        .putShort((short) from.length)
        .put(from)
        .putLong(id.major())
        .putLong(id.minor())
        .putInt(deliveries)
        .put(payload)
        .array();
  }

  /** The stream that the event was in. */
  public String stream() {
    return stream;
  }

  /** Its id there. */
  public EventId id() {
    return id;
  }

  /** How often it was delivered. */
  public int deliveries() {
    return deliveries;
  }

  /** The name of the event. */
  public String name() {
    return name;
  }

  /** Its topic; empty if it had none. */
  public String topic() {
    return topic;
  }

  /** A copy of what it carried. */
  public byte[] payload() {
    return payload.clone();
  }

  @Override
  public String toString() {
    return "DeadLetter(%s %s, %s, delivered %d times)".formatted(stream, id, name, deliveries);
  }
}
