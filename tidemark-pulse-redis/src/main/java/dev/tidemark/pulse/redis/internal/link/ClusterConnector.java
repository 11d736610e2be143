package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.pulse.redis.RedisOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;

/** Connections to a cluster, each to as many of its nodes as it needs. */
final class ClusterConnector implements Connector {
  private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(30);

  private final Duration connectTimeout;
  private final ClientResources resources;
  private final RedisClusterClient client;

  ClusterConnector(RedisOptions options) {
    // What can be refused comes first: the resources would stay.
    List<RedisURI> uris = LettuceSettings.uris(options);
    ClusterClientOptions.Builder settings =
        LettuceSettings.apply(ClusterClientOptions.builder(), options);
    settings.topologyRefreshOptions(
        ClusterTopologyRefreshOptions.builder().enablePeriodicRefresh(TOPOLOGY_REFRESH).build());
    connectTimeout = options.connectTimeout();
    resources = LettuceSettings.resources();
    client = RedisClusterClient.create(resources, uris);
    client.setOptions(settings.build());
  }

  @Override
  public Session open() {
    return Session.open(this::connect, connectTimeout);
  }

  private Session.Wire connect() {
    StatefulRedisClusterConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE);
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
