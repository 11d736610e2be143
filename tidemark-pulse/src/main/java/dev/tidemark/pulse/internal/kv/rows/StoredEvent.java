package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.stream.EventTimes;
import java.time.Instant;

/**
 * An event as a transaction reads it. When it was added takes another question to the store, which
 * {@link EventTimes} asks for many events at once.
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared as a whole
record StoredEvent(EventId id, String name, String topic, byte[] payload, int deliveries) {
  public Event of(String stream, Instant createdAt) {
    return new Event(id, stream, name, topic, payload, createdAt, deliveries);
  }
}
