package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.pulse.testkit.SinkReleaseConformance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Redis 7.0. */
class RedisSinkReleaseTest extends SinkReleaseConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }
}
