package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.redis.RedisOptions;
import io.lettuce.core.RedisException;
import java.security.cert.CertificateException;

/**
 * The first words with a server: is it there, does it let us in, is it one that this works with.
 */
public final class Greeting {
  private Greeting() {}

  /** The first connection. */
  public static Session open(Connector connector, RedisOptions options) {
    try {
      return connector.open();
    } catch (RedisException failure) {
      String reason = Failure.reason(failure);
      throw new PulseException(
          "No connection to Redis at %s: %s. %s"
              .formatted(options.where(), reason, remedy(failure, reason)),
          failure);
    }
  }

  private static String remedy(Throwable failure, String reason) {
    if (Failure.isCausedBy(failure, CertificateException.class)) {
      return "The server is not believed: check RedisOptions.withTrustedCertificates, and that the"
          + " server's certificate names this host";
    }
    if (Failure.isOfCredentials(reason)) {
      return Failure.CREDENTIALS;
    }
    return "Check the address, that the server runs, and whether it wants TLS (rediss://)";
  }

  /** Looks what the server is, and refuses what cannot work. */
  public static ServerVersion check(Link link) {
    String info = link.call(commands -> commands.info("server"));
    String where = link.options().where();
    ServerVersion version =
        ServerVersion.parse(info)
            .orElseThrow(
                () -> new PulseException("What answers at " + where + " is no Redis server"));
    if (!version.isEnough()) {
      throw new PulseException(
          "%s at %s is too old: streams need Redis 6.2 or later, or Valkey. Upgrade the server"
              .formatted(version, where));
    }
    if (info.contains("redis_mode:cluster") && !link.options().cluster()) {
      throw new PulseException(
          "The server at %s is a node of a cluster; connect with RedisOptions.ofCluster"
              .formatted(where));
    }
    return version;
  }
}
