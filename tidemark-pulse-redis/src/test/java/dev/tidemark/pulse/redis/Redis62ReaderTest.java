package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.ReaderConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Redis 6.2, the oldest that is supported. */
class Redis62ReaderTest extends ReaderConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V6_2);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }
}
