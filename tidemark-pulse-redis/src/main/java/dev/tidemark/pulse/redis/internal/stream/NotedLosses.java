package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.LostEvents;
import dev.tidemark.pulse.internal.spi.Losses;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.redis.internal.link.Script;
import dev.tidemark.pulse.redis.internal.link.Session;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Events that the stream dropped before the sink got them, as the script notes that trims the
 * stream. Whether something is noted is asked with every read of new events, behind it: so a loss
 * is told before the events that follow it are handed out. Used by the thread that claims.
 */
final class NotedLosses {
  private static final Script TAKE = Script.once("group-lost");

  private final RedisGroup.Home home;
  private final String sink;
  private final Losses losses;
  private final byte[] hash;
  private final byte[] field;
  private @Nullable RedisFuture<byte[]> asked;

  NotedLosses(RedisGroup.Home home, String sink, Losses losses) {
    this.home = home;
    this.sink = sink;
    this.losses = losses;
    this.hash = RedisNames.bytes(home.keys().sinks());
    this.field = RedisNames.bytes("lost:" + sink);
  }

  /** Asks whether there are any. */
  void ask(RedisClusterAsyncCommands<byte[], byte[]> commands) {
    asked = commands.hget(hash, field);
  }

  /**
   * Tells the program of them if the last answer says that there are any. What fails is logged: the
   * note stays and is found with the next read, and the events of this one are handed out.
   */
  void tell() {
    RedisFuture<byte[]> answer = asked;
    asked = null;
    if (answer == null) {
      return;
    }
    home.ifReachable(
        () -> {
          if (Session.await(home.link().options().commandTimeout(), answer) != null) {
            take().forEach(losses::tell);
          }
        },
        "Whether a sink has lost events is not known; it is asked again");
  }

  private List<LostEvents> take() {
    Answer pairs =
        new Answer(
            home.link()
                .runOnce(
                    TAKE,
                    List.of(home.keys().events(), home.keys().sinks()),
                    new Arguments().add(sink).list()));
    return IntStream.range(0, pairs.size() / 2)
        .mapToObj(
            i ->
                new LostEvents(
                    home.stream(),
                    EventId.parse(pairs.text(2 * i)),
                    EventId.parse(pairs.text(2 * i + 1))))
        .toList();
  }
}
