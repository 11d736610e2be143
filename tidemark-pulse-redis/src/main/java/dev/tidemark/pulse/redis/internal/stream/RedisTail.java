package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.spi.StreamStore;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
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
  public List<Event> after(EventId position, int max, Duration block) {
    BlockingReads.Read read =
        new BlockingReads.Read(
            stream, CommandType.XREAD, millis -> arguments(position, max, millis), commands -> {});
    return RedisEvents.of(reads.read(block, read, failure -> BlockingReads.Next.PATIENCE));
  }

  private CommandArgs<byte[], byte[]> arguments(EventId position, int max, long blockMillis) {
    CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    BlockingReads.addBlock(arguments, blockMillis);
    return arguments
        .add("COUNT")
        .add(max)
        .add("STREAMS")
        .addKey(keys.eventBytes())
        .add(position.toString());
  }

  @Override
  public void close() {
    reads.close();
  }
}
