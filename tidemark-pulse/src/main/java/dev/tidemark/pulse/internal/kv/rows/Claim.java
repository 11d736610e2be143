package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.PulseException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Events that one consumer of a group has in hand.
 *
 * @param consumer the consumer that owns the events
 * @param deliveries how often they have been handed out, this time included
 * @param until when others may take them over, in microseconds of the store's time
 * @param ids the events that were not acknowledged when the claim was made, in order, not empty
 */
public record Claim(UUID consumer, int deliveries, long until, List<EventId> ids) {
  private static final byte FORMAT = 1;

  /** Who has events that were given back. */
  private static final UUID NOBODY = new UUID(0, 0);

  private static final int HEAD_BYTES = 1 + 16 + 4 + 8;

  EventId first() {
    return ids.getFirst();
  }

  Claim renewed(long newUntil) {
    return new Claim(consumer, deliveries, newUntil, ids);
  }

  /** The same claim, of these of its events only. */
  public Claim of(List<EventId> some) {
    return new Claim(consumer, deliveries, until, some);
  }

  /** What becomes of it when it is given back at {@code now}. */
  Claim givenBack(long now) {
    return new Claim(NOBODY, deliveries - 1, now, ids);
  }

  /** Ids as differences: most events of a claim were committed soon after each other. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(HEAD_BYTES + ids.size() * 6);
    bytes.writeBytes(
        ByteBuffer.allocate(HEAD_BYTES)
            .put(FORMAT)
            .putLong(consumer.getMostSignificantBits())
            .putLong(consumer.getLeastSignificantBits())
            .putInt(deliveries)
            .putLong(until)
            .array());
    long major = 0;
    for (EventId id : ids) {
      varint(bytes, id.major() - major);
      varint(bytes, id.minor());
      major = id.major();
    }
    return bytes.toByteArray();
  }

  private static void varint(ByteArrayOutputStream bytes, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  public static Claim decode(byte[] value) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    byte format = buffer.get();
    if (format != FORMAT) {
      throw new PulseException(
          "A claim has format %d; this version of Tidemark reads %d. Upgrade it"
              .formatted(format, FORMAT));
    }
    UUID consumer = new UUID(buffer.getLong(), buffer.getLong());
    int deliveries = buffer.getInt();
    long until = buffer.getLong();
    List<EventId> ids = new ArrayList<>();
    long major = 0;
    while (buffer.hasRemaining()) {
      major += varint(buffer);
      ids.add(new EventId(major, varint(buffer)));
    }
    return new Claim(consumer, deliveries, until, ids);
  }

  private static long varint(ByteBuffer buffer) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = buffer.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
