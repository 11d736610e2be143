package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.pulse.testkit.StatisticsConformance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Redis 7.0. */
class RedisStatisticsTest extends StatisticsConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }
}
