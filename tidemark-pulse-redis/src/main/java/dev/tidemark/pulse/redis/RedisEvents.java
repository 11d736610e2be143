package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import io.lettuce.core.StreamMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Events as entries of a stream: the fields {@code n} name, {@code p} payload, {@code t} topic. */
final class RedisEvents {
  private static final byte[] NOTHING = {};

  private RedisEvents() {}

  /** The events of entries that are still there. */
  static List<Event> of(String stream, List<StreamMessage<byte[], byte[]>> entries) {
    return entries.stream()
        // 6.2 answers a removed entry that was not acknowledged without its fields.
        .filter(entry -> entry.getBody() != null && !entry.getBody().isEmpty())
        .map(entry -> of(stream, entry))
        .toList();
  }

  private static Event of(String stream, StreamMessage<byte[], byte[]> entry) {
    Fields fields = new Fields();
    for (Map.Entry<byte[], byte[]> field : Objects.requireNonNull(entry.getBody()).entrySet()) {
      fields.take(field.getKey(), field.getValue());
    }
    return fields.event(stream, entry.getId(), 1);
  }

  /** The event of an entry in the answer of a script. */
  static Event of(String stream, String id, Answer list, int deliveries) {
    Fields fields = new Fields();
    for (int i = 0; i + 1 < list.size(); i += 2) {
      fields.take(list.bytes(i), list.bytes(i + 1));
    }
    return fields.event(stream, id, deliveries);
  }

  /** What is known of an entry so far. Fields of others are passed over. */
  private static final class Fields {
    private String name = "";
    private String topic = "";
    private byte[] payload = NOTHING;

    void take(byte[] field, byte[] value) {
      if (field.length != 1) {
        return;
      }
      switch (field[0]) {
        case 'n' -> name = RedisNames.text(value);
        case 't' -> topic = RedisNames.text(value);
        case 'p' -> payload = value;
        default -> {}
      }
    }

    Event event(String stream, String text, int deliveries) {
      EventId id = EventId.parse(text);
      return new Event(
          id, stream, name, topic, payload, Instant.ofEpochMilli(id.major()), deliveries);
    }
  }
}
