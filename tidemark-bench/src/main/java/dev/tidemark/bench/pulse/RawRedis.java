package dev.tidemark.bench.pulse;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The commands themselves, through the same client: the most that a layer on Redis can reach. */
final class RawRedis implements AutoCloseable {
  private static final byte[] NAME_FIELD = bytes("n");
  private static final byte[] PAYLOAD_FIELD = bytes("p");
  private static final byte[] EVENT = bytes("measured");

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final RedisCommands<byte[], byte[]> redis;

  RawRedis(String uri) {
    client = RedisClient.create(uri);
    connection = client.connect(ByteArrayCodec.INSTANCE);
    redis = connection.sync();
  }

  /** Adds an event; calls of several threads share the connection and are pipelined. */
  void add(String stream, byte[] payload, long lengthMax) {
    redis.xadd(
        bytes(stream),
        new XAddArgs().maxlen(lengthMax).approximateTrimming(),
        NAME_FIELD,
        EVENT,
        PAYLOAD_FIELD,
        payload);
  }

  /** How many events a stream has. */
  long length(String stream) {
    return redis.xlen(bytes(stream));
  }

  void createGroup(String stream, String group) {
    redis.xgroupCreate(
        XReadArgs.StreamOffset.from(bytes(stream), "0"),
        bytes(group),
        XGroupCreateArgs.Builder.mkstream());
  }

  void destroyGroup(String stream, String group) {
    redis.xgroupDestroy(bytes(stream), bytes(group));
  }

  /** Reads up to {@code count} events and acknowledges them; how many it were. */
  @SuppressWarnings("unchecked") // the array of offsets is only read
  int consume(String stream, String group, int count) {
    List<StreamMessage<byte[], byte[]>> events =
        redis.xreadgroup(
            Consumer.from(bytes(group), bytes("one")),
            XReadArgs.Builder.count(count),
            XReadArgs.StreamOffset.lastConsumed(bytes(stream)));
    if (!events.isEmpty()) {
      redis.xack(
          bytes(stream),
          bytes(group),
          events.stream().map(StreamMessage::getId).toArray(String[]::new));
    }
    return events.size();
  }

  void ping() {
    redis.ping();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
