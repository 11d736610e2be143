package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisTakenEventsTest extends TakenEvents {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  OneServer server() {
    return SERVER;
  }
}
