package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.StreamStore;
import io.lettuce.core.XReadArgs;
import java.time.Duration;
import java.util.List;

/** Reads of a stream from a position on. */
final class RedisTail implements StreamStore.Tail {
  private final String stream;
  private final StreamKeys keys;
  private final BlockingReads reads;

  RedisTail(String stream, StreamKeys keys, BlockingReads reads) {
    this.stream = stream;
    this.keys = keys;
    this.reads = reads;
  }

  @Override
  @SuppressWarnings("unchecked") // one offset in a generic array
  public List<Event> after(EventId position, int max, Duration block) {
    return RedisEvents.of(
        stream,
        reads.read(
            block,
            (commands, millis) ->
                commands.xread(
                    XReadArgs.Builder.block(millis).count(max),
                    XReadArgs.StreamOffset.from(keys.eventBytes(), position.toString())),
            failure -> false));
  }

  @Override
  public void close() {
    reads.close();
  }
}
