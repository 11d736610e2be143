package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.MapNewsConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What copies of maps on Redis 7.0 hear. */
class RedisMapNewsTest extends MapNewsConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  @Override
  protected void unheard(Runnable writes) {
    SERVER.server().command("CLIENT", "KILL", "TYPE", "pubsub");
    writes.run();
    SERVER.server().command("CLIENT", "KILL", "TYPE", "pubsub");
  }
}
