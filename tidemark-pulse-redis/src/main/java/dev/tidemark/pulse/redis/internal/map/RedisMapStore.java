package dev.tidemark.pulse.redis.internal.map;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapWrite;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.Channels;
import dev.tidemark.pulse.redis.internal.link.Failure;
import dev.tidemark.pulse.redis.internal.link.Link;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.redis.internal.link.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A map as a hash, whose changes are published on a channel. */
public final class RedisMapStore implements MapStore {
  private static final Script WRITE = Script.once("clock", "map");

  private final Link link;
  private final Channels channels;
  private final String name;
  private final String content;
  private final MapArguments arguments;

  public RedisMapStore(Link link, Channels channels, String name, MapOptions options) {
    this.link = link;
    this.channels = channels;
    this.name = name;
    this.content = RedisNames.map(name);
    this.arguments = new MapArguments(RedisNames.mapChannel(name), options);
  }

  @Override
  public Outcome apply(MapWrite write) {
    try {
      return outcome(new Answer(link.runOnce(WRITE, List.of(content), arguments.of(write).list())));
    } catch (PulseException refusal) {
      throw refused(write, refusal);
    }
  }

  private static Outcome outcome(Answer answer) {
    boolean changed = answer.number(2) == 1;
    return new Outcome(
        answer.find(0),
        answer.find(1),
        changed,
        changed ? Optional.of(position(answer.number(3), answer.number(4))) : Optional.empty());
  }

  /** The place of revision {@code revision} in the life {@code incarnation}. */
  static Position position(long incarnation, long revision) {
    return new Position(incarnation, revision(revision));
  }

  static Key revision(long revision) {
    return Key.wrap(ByteBuffer.allocate(Long.BYTES).putLong(revision).array());
  }

  private RuntimeException refused(MapWrite write, PulseException refusal) {
    String message = Failure.answer(refusal);
    if (message.startsWith("NOTANUMBER") && write instanceof MapWrite.OfKey one) {
      return MapStore.notANumber(name, one.key());
    }
    if (message.startsWith("TOOLARGE") && write instanceof MapWrite.OfKey one) {
      return new PulseException(
          "The list '%s' in the map '%s' would have %s; at most %,d are allowed"
              .formatted(
                  one.key(), name, message.substring("TOOLARGE ".length()), VALUE_BYTES_MAX));
    }
    return refusal;
  }

  @Override
  public Outcome apply(Transaction tx, MapWrite.OfKey write) {
    throw new UnsupportedOperationException(
        "Redis has no transactions that a map could join; call without one, or keep the map in"
            + " Tidemark's store");
  }

  @Override
  public Feed follow(Consumer<Update> listener) {
    return RedisMapFeed.start(link, channels, name, content, listener);
  }
}
