package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.pulse.testkit.SinkLossConformance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Redis 6.2, the oldest that is supported. */
class Redis62SinkLossTest extends SinkLossConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V6_2);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }
}
