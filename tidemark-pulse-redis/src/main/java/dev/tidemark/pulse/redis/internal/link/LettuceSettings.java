package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.pulse.redis.RedisOptions;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What {@link RedisOptions} mean to Lettuce. */
public final class LettuceSettings {
  /** A blocked read occupies no thread; two are enough for any number of connections. */
  private static final int THREADS = 2;

  private static final Duration RECONNECT_PAUSE_MAX = Duration.ofMillis(500);

  /** Notices within a minute that the other side is gone, on connections that only listen. */
  private static final SocketOptions.KeepAliveOptions KEEP_ALIVE =
      SocketOptions.KeepAliveOptions.builder()
          .enable(true)
          .idle(Duration.ofSeconds(30))
          .interval(Duration.ofSeconds(10))
          .count(3)
          .build();

  private LettuceSettings() {}

  static ClientResources resources() {
    Supplier<Delay> pause =
        () ->
            Delay.exponential(Duration.ofMillis(1), RECONNECT_PAUSE_MAX, 2, TimeUnit.MILLISECONDS);
    return DefaultClientResources.builder()
        .ioThreadPoolSize(THREADS)
        .computationThreadPoolSize(THREADS)
        .reconnectDelay(pause)
        .build();
  }

  /** Closes {@code client} and then {@code resources}, also where the thread is interrupted. */
  static void close(AbstractRedisClient client, ClientResources resources) {
    client
        .shutdownAsync(0, 1, TimeUnit.SECONDS)
        .completeOnTimeout(null, 2, TimeUnit.SECONDS)
        .join();
    resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }

  public static List<RedisURI> uris(RedisOptions options) {
    return options.uris().stream().map(uri -> uri(uri, options)).toList();
  }

  private static RedisURI uri(String text, RedisOptions options) {
    RedisURI uri = parse(text);
    options
        .password()
        .ifPresent(
            password ->
                uri.setCredentialsProvider(
                    new StaticCredentialsProvider(
                        options.username().orElse(null), password.toCharArray())));
    // Of the greeting, which comes after the socket is connected.
    uri.setTimeout(options.connectTimeout());
    uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(options.connectTimeout()));
    return uri;
  }

  @SuppressWarnings("UnusedException") // it quotes the address, and so the password in it
  private static RedisURI parse(String text) {
    try {
      return RedisURI.create(text);
    } catch (IllegalArgumentException mistake) {
      throw new IllegalArgumentException(
          "'%s' is no address of Redis; one looks like redis://host:6379, rediss://host:6379 or redis-sentinel://host:26379#master"
              .formatted(RedisOptions.withoutPassword(text)));
    }
  }

  /**
   * A command whose connection was cut is not sent again by Lettuce, which could not know whether
   * it has been carried out; we repeat it with its operation id.
   */
  static <B extends ClientOptions.Builder> B apply(B builder, RedisOptions options) {
    builder
        .autoReconnect(true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .protocolVersion(ProtocolVersion.RESP2)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(options.connectTimeout())
                .keepAlive(KEEP_ALIVE)
                .tcpNoDelay(true)
                .build());
    options
        .trustedCertificates()
        .ifPresent(
            pem -> builder.sslOptions(SslOptions.builder().trustManager(pem.toFile()).build()));
    return builder;
  }
}
