package dev.tidemark.node.internal.meters;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A reading as it travels: {@code point_id=7&power=412&timestamp=846806400}.
 *
 * @param meter the meter
 * @param timestamp when
 * @param power in watts
 */
record Message(long meter, long timestamp, long power) {
  byte[] toBytes() {
    return ("point_id=" + meter + "&power=" + power + "&timestamp=" + timestamp).getBytes(UTF_8);
  }

  /** The reading in {@code bytes}; nothing if they do not hold one. */
  static Optional<Message> parse(byte[] bytes) {
    Map<String, String> fields = new HashMap<>();
    for (String part : new String(bytes, UTF_8).split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        fields.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    try {
      return Optional.of(
          new Message(
              number(fields, "point_id"), number(fields, "timestamp"), number(fields, "power")));
    } catch (NumberFormatException broken) {
      return Optional.empty();
    }
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, ""));
  }
}
