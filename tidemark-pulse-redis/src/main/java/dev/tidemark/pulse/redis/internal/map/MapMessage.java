package dev.tidemark.pulse.redis.internal.map;

import dev.tidemark.pulse.internal.spi.MapStore.Position;
import dev.tidemark.pulse.internal.spi.MapStore.Update;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change as the channel of a map carries it: a word, a colon, and fields that have their length
 * in four bytes before them, the lowest first. The last two are the revision and the incarnation.
 *
 * @param incarnation the life of the map
 * @param revision the place in it
 * @param update what has changed; empty if the map as a whole has gone
 */
record MapMessage(long incarnation, long revision, Optional<Update> update) {
  /** The message in {@code content}; empty if it is none. */
  static Optional<MapMessage> parse(byte[] content) {
    String start = RedisNames.text(content);
    int colon = start.indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    try {
      return of(start.substring(0, colon), fields(content, colon + 1));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private static List<byte[]> fields(byte[] content, int from) {
    ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).position(from);
    List<byte[]> fields = new ArrayList<>();
    while (in.hasRemaining()) {
      int size = in.remaining() < Integer.BYTES ? -1 : in.getInt();
      if (size < 0 || size > in.remaining()) {
        throw new IllegalArgumentException("A field ends behind the message");
      }
      byte[] field = new byte[size];
      in.get(field);
      fields.add(field);
    }
    return fields;
  }

  private static Optional<MapMessage> of(String kind, List<byte[]> fields) {
    if (fields.size() < 2) {
      return Optional.empty();
    }
    long incarnation = number(fields.removeLast());
    long revision = number(fields.removeLast());
    Position position = RedisMapStore.position(incarnation, revision);
    Optional<Update> update =
        switch (kind + fields.size()) {
          case "set2" ->
              Optional.of(new Update.Put(position, RedisNames.text(fields.get(0)), fields.get(1)));
          case "del1" -> Optional.of(new Update.Remove(position, RedisNames.text(fields.get(0))));
          case "reset0" -> Optional.of(new Update.Reset(position));
          default -> Optional.empty();
        };
    return update.isPresent() || kind.equals("destroy")
        ? Optional.of(new MapMessage(incarnation, revision, update))
        : Optional.empty();
  }

  private static long number(byte[] digits) {
    return Long.parseLong(RedisNames.text(digits));
  }
}
