package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.pulse.redis.RedisOptions;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/** Opens connections: to one server, to the one that Sentinels name, or to a cluster. */
public interface Connector extends AutoCloseable {
  /** A connection of its own. */
  Session open();

  /** A connection for channels. */
  StatefulRedisPubSubConnection<byte[], byte[]> openChannels();

  /** Ends all connections and threads. */
  @Override
  void close();

  /** A connector for {@code options}. Connects to nothing yet. */
  static Connector of(RedisOptions options) {
    return options.cluster() ? new ClusterConnector(options) : new ServerConnector(options);
  }
}
