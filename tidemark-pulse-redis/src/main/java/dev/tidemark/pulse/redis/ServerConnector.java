package dev.tidemark.pulse.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;

/** Connections to one server. */
final class ServerConnector implements Connector {
  private final ClientResources resources = LettuceSettings.resources();
  private final RedisClient client;

  ServerConnector(RedisOptions options) {
    client = RedisClient.create(resources, LettuceSettings.uris(options).getFirst());
    client.setOptions(LettuceSettings.apply(ClientOptions.builder(), options).build());
  }

  @Override
  public Session open() {
    return Session.open(this::connect);
  }

  private Session.Wire connect() {
    StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    return new Session.Wire(connection, connection.async());
  }

  @Override
  public StatefulRedisPubSubConnection<byte[], byte[]> openChannels() {
    return client.connectPubSub(ByteArrayCodec.INSTANCE);
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    LettuceSettings.close(resources);
  }
}
