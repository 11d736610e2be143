package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.pulse.redis.RedisOptions;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;

/** Connections to one server. */
final class ServerConnector implements Connector {
  private final Duration connectTimeout;
  private final ClientResources resources;
  private final RedisClient client;

  ServerConnector(RedisOptions options) {
    // What can be refused comes first: the resources would stay.
    RedisURI uri = LettuceSettings.uris(options).getFirst();
    ClientOptions settings = LettuceSettings.apply(ClientOptions.builder(), options).build();
    connectTimeout = options.connectTimeout();
    resources = LettuceSettings.resources();
    client = RedisClient.create(resources, uri);
    client.setOptions(settings);
  }

  @Override
  public Session open() {
    return Session.open(this::connect, connectTimeout);
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
    LettuceSettings.close(client, resources);
  }
}
