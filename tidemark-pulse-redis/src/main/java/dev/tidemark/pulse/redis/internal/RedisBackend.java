package dev.tidemark.pulse.redis.internal;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Capabilities;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.StreamStore;
import dev.tidemark.pulse.redis.RedisOptions;
import dev.tidemark.pulse.redis.internal.link.Channels;
import dev.tidemark.pulse.redis.internal.link.Connector;
import dev.tidemark.pulse.redis.internal.link.Greeting;
import dev.tidemark.pulse.redis.internal.link.Link;
import dev.tidemark.pulse.redis.internal.link.ReadSessions;
import dev.tidemark.pulse.redis.internal.link.RedisClock;
import dev.tidemark.pulse.redis.internal.link.ServerVersion;
import dev.tidemark.pulse.redis.internal.map.RedisMapStore;
import dev.tidemark.pulse.redis.internal.rows.RedisRowStore;
import dev.tidemark.pulse.redis.internal.stream.RedisStreamStore;
import java.time.Instant;

/** Streams, maps and rows of pools in Redis. */
public final class RedisBackend implements Backend {
  private final Connector connector;
  private final Link link;
  private final ReadSessions sessions;
  private final Channels channels;
  private final RedisClock clock;
  private final TimeSource time;
  private final Capabilities capabilities;

  private RedisBackend(Connector connector, Link link, ServerVersion version, TimeSource time) {
    this.connector = connector;
    this.link = link;
    this.sessions = new ReadSessions(connector, link);
    this.channels = new Channels(connector, link);
    this.clock = new RedisClock(link, time);
    this.time = time;
    this.capabilities = new Capabilities(version.toString(), false, false, false);
  }

  /**
   * Connects and looks whether the server is one that this works with.
   *
   * @throws dev.tidemark.pulse.PulseException if it cannot be reached, or is too old
   */
  public static RedisBackend connect(RedisOptions options, TimeSource time) {
    Connector connector = Connector.of(options);
    try {
      Link link = new Link(Greeting.open(connector, options), options, time);
      ServerVersion version = Greeting.check(link);
      RedisBackend backend = new RedisBackend(connector, link, version, time);
      backend.clock.learn();
      return backend;
    } catch (RuntimeException failure) {
      connector.close();
      throw failure;
    }
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public StreamStore stream(String name, StreamOptions options) {
    return new RedisStreamStore(sessions, link, name, options);
  }

  @Override
  public MapStore map(String name, MapOptions options) {
    return new RedisMapStore(link, channels, name, options);
  }

  @Override
  public RowStore pool(String name) {
    return new RedisRowStore(link, channels, name);
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  /** Redis expires keys itself. */
  @Override
  public void sweepExpired() {}

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public void close() {
    channels.close();
    link.close();
    connector.close();
  }
}
