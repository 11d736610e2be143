package dev.tidemark.pulse.redis;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.internal.BackendPulse;
import dev.tidemark.pulse.redis.internal.RedisBackend;

/**
 * Streams, maps and pools on Redis 6.2 or later, or Valkey: one server, behind Sentinels, or a
 * cluster.
 *
 * <p>The same calls as on Tidemark's store, with weaker promises where Redis cannot give more;
 * {@link Pulse#capabilities} says which. Calls that take a transaction are not supported. A write
 * whose answer was lost is sent again with its operation id, so it happens once; what a server
 * loses when it crashes depends on how it is set up ({@code appendfsync}, replicas).
 */
public final class RedisPulse {
  private RedisPulse() {}

  /**
   * Connects to the server at {@code uri}, for example {@code redis://localhost:6379}.
   *
   * @throws PulseException if it cannot be reached, does not let us in, or is too old
   * @throws IllegalArgumentException if {@code uri} is no address
   */
  public static Pulse connect(String uri) {
    return connect(RedisOptions.at(uri));
  }

  /**
   * Connects as {@code options} say.
   *
   * @throws PulseException if no server can be reached, it does not let us in, or is too old
   * @throws IllegalArgumentException if an address is none
   */
  public static Pulse connect(RedisOptions options) {
    return new BackendPulse(RedisBackend.connect(options, TimeSource.system()));
  }
}
