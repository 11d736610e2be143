package dev.tidemark.pulse.internal;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import java.time.Instant;

/**
 * An event as a transaction reads it. When it was added takes another question to the store, which
 * {@link EventTimes} asks for many events at once.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
record StoredEvent(EventId id, String name, String topic, byte[] payload, int deliveries) {
  Event of(String stream, Instant createdAt) {
    return new Event(id, stream, name, topic, payload, createdAt, deliveries);
  }
}
