package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.PulseGuide;
import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/pulse.md on Redis 7.0. */
class RedisPulseGuideTest extends PulseGuide {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }
}
