package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Events as entries of a stream: the fields {@code n} name, {@code p} payload, {@code t} topic. */
final class RedisEvents {
  private static final byte[] NOTHING = {};

  private RedisEvents() {}

  /** The events of entries that are still there. */
  static List<Event> of(List<StreamEntry> entries) {
    List<Event> events = new ArrayList<>(entries.size());
    for (StreamEntry entry : entries) {
      Event event = entry.event();
      if (event != null) {
        events.add(event);
      }
    }
    return events;
  }

  /** The event of an entry in the answer of a script. */
  static Event of(String stream, String id, Answer list, int deliveries) {
    Fields fields = new Fields();
    for (int i = 0; i + 1 < list.size(); i += 2) {
      byte[] name = list.bytes(i);
      fields.take(name.length == 1 ? name[0] : Fields.OTHER, list.bytes(i + 1));
    }
    return fields.event(stream, EventId.parse(id), deliveries);
  }

  /** What is known of an entry so far. Fields of others are passed over. */
  static final class Fields {
    /** Stands for any name that is none of ours. */
    static final byte OTHER = 0;

    private String name = "";
    private String topic = "";
    private byte[] payload = NOTHING;

    void take(byte field, byte[] value) {
      switch (field) {
        case 'n' -> name = RedisNames.text(value);
        case 't' -> topic = RedisNames.text(value);
        case 'p' -> payload = value;
        default -> {}
      }
    }

    Event event(String stream, EventId id, int deliveries) {
      return new Event(
          id, stream, name, topic, payload, Instant.ofEpochMilli(id.major()), deliveries);
    }
  }
}
