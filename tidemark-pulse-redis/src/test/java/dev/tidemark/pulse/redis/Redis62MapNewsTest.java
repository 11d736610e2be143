package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.MapNewsConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Redis 6.2, the oldest that is supported. */
class Redis62MapNewsTest extends MapNewsConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V6_2);

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
