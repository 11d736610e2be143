package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.MapConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Maps on Redis 7.0. */
class RedisMapTest extends MapConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  @Override
  protected void forgetWhatCanBeLearnedAgain() {
    SERVER.server().command("SCRIPT", "FLUSH");
  }
}
