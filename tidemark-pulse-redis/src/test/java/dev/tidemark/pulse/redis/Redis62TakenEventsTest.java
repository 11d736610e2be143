package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class Redis62TakenEventsTest extends TakenEvents {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V6_2);

  @Override
  OneServer server() {
    return SERVER;
  }
}
