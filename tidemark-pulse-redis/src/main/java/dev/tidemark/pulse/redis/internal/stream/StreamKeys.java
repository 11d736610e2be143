package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.redis.internal.link.RedisNames;
import java.util.List;

/**
 * What a stream consists of.
 *
 * @param events the stream itself
 * @param sinks where lost groups would go on: {@code low:}, {@code grace:} and {@code terms:} of
 *     each; and how many events the stream keeps
 * @param readers the durable cursors
 * @param onceKeys what {@code addOnce} remembers
 * @param onceDeadlines for how long
 */
public record StreamKeys(
    String events, String sinks, String readers, String onceKeys, String onceDeadlines) {
  public static StreamKeys of(String stream) {
    String events = RedisNames.stream(stream);
    return new StreamKeys(
        events,
        RedisNames.sibling(events, "sinks"),
        RedisNames.sibling(events, "readers"),
        RedisNames.sibling(events, "once"),
        RedisNames.sibling(events, "once:deadlines"));
  }

  byte[] eventBytes() {
    return RedisNames.bytes(events);
  }

  public List<String> all() {
    return List.of(events, sinks, readers, onceKeys, onceDeadlines);
  }
}
