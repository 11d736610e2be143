package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a stream, as a read answers it.
 *
 * @param id its id
 * @param event what it holds; null if it was removed before it was acknowledged
 */
record StreamEntry(EventId id, @Nullable Event event) {}
