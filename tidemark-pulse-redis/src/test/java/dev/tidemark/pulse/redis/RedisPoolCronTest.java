package dev.tidemark.pulse.redis;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Capabilities;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.BackendPulse;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.StreamStore;
import dev.tidemark.pulse.redis.internal.RedisBackend;
import dev.tidemark.pulse.testkit.PoolCronConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Redis 7.0. */
class RedisPoolCronTest extends PoolCronConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  /** A server whose clock is ahead. */
  private record AheadBackend(Backend server, Duration ahead) implements Backend {
    @Override
    public Capabilities capabilities() {
      return server.capabilities();
    }

    @Override
    public StreamStore stream(String name, StreamOptions options) {
      return server.stream(name, options);
    }

    @Override
    public MapStore map(String name, MapOptions options) {
      return server.map(name, options);
    }

    @Override
    public RowStore pool(String name) {
      return server.pool(name);
    }

    @Override
    public Instant now() {
      return server.now().plus(ahead);
    }

    @Override
    public void sweepExpired() {
      server.sweepExpired();
    }

    @Override
    public TimeSource time() {
      return server.time();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  @Override
  protected Pulse openAhead(Duration ahead) {
    Backend server = RedisBackend.connect(RedisOptions.at(SERVER.uri()), TimeSource.system());
    return new BackendPulse(new AheadBackend(server, ahead));
  }
}
