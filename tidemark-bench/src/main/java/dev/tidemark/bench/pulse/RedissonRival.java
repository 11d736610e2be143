package dev.tidemark.bench.pulse;

import java.util.Map;
import org.redisson.Redisson;
import org.redisson.api.RStream;
import org.redisson.api.RedissonClient;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.Config;

/** The streams of Redisson, doing the same work. */
final class RedissonRival implements AutoCloseable {
  private static final byte[] NAME_FIELD = {'n'};
  private static final byte[] PAYLOAD_FIELD = {'p'};
  private static final byte[] EVENT = {'m'};

  /** What the server takes if nothing is said. */
  private static final int TRIM_MAX = 10_000;

  private final RedissonClient client;

  RedissonRival(String uri) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    client = Redisson.create(config);
  }

  private RStream<byte[], byte[]> stream(String name) {
    return client.getStream(name, ByteArrayCodec.INSTANCE);
  }

  @SuppressWarnings("ArrayAsKeyOfSetOrMap") // the map is only gone through
  void add(String stream, byte[] payload, int lengthMax) {
    stream(stream)
        .add(
            StreamAddArgs.entries(Map.of(NAME_FIELD, EVENT, PAYLOAD_FIELD, payload))
                .trimNonStrict()
                .maxLen(lengthMax)
                .limit(TRIM_MAX));
  }

  /** How many events a stream has. */
  long length(String stream) {
    return stream(stream).size();
  }

  void createGroup(String stream, String group) {
    stream(stream)
        .createGroup(StreamCreateGroupArgs.name(group).id(new StreamMessageId(0)).makeStream());
  }

  void destroyGroup(String stream, String group) {
    stream(stream).removeGroup(group);
  }

  /** Reads up to {@code count} events and acknowledges them; how many it were. */
  int consume(String stream, String group, int count) {
    RStream<byte[], byte[]> events = stream(stream);
    Map<StreamMessageId, Map<byte[], byte[]>> read =
        events.readGroup(group, "one", StreamReadGroupArgs.neverDelivered().count(count));
    if (!read.isEmpty()) {
      events.ack(group, read.keySet().toArray(StreamMessageId[]::new));
    }
    return read.size();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
