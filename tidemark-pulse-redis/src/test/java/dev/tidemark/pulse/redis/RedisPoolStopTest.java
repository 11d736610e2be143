package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.PoolStopConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Redis 7.0. */
class RedisPoolStopTest extends PoolStopConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }
}
