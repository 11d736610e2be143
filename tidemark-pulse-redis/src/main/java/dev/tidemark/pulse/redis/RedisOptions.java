package dev.tidemark.pulse.redis;

import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.pulse.Pulse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How to reach Redis or Valkey. */
public final class RedisOptions {
  /** One server, or through Sentinels the one that they name. */
  public static RedisOptions at(String uri) {
    return new RedisOptions(
        List.of(uri),
        false,
        null,
        null,
        null,
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15));
  }

  /** A cluster, of which some nodes are enough. */
  public static RedisOptions ofCluster(String... uris) {
    RedisOptions one = at("redis://unused");
    return new RedisOptions(
        List.of(uris),
        true,
        null,
        null,
        null,
        one.connectTimeout,
        one.commandTimeout,
        one.outageMax);
  }

  private final List<String> uris;
  private final boolean cluster;
  private final @Nullable String username;
  private final @Nullable String password;
  private final @Nullable Path trustedCertificates;
  private final Duration connectTimeout;
  private final Duration commandTimeout;
  private final Duration outageMax;

  private RedisOptions(
      List<String> uris,
      boolean cluster,
      @Nullable String username,
      @Nullable String password,
      @Nullable Path trustedCertificates,
      Duration connectTimeout,
      Duration commandTimeout,
      Duration outageMax) {
    uris = List.copyOf(uris);
    if (uris.isEmpty()) {
      throw UsageException.invalidOption("There is no address; one looks like redis://host:6379");
    }
    if (!cluster && uris.size() > 1) {
      throw UsageException.invalidOption(
          "%d addresses, but cluster is false; name one server, or use RedisOptions.ofCluster"
              .formatted(uris.size()));
    }
    if (username != null && password == null) {
      throw UsageException.invalidOption("The user '" + username + "' has no password");
    }
    OptionChecks.positive("connectTimeout", connectTimeout);
    OptionChecks.positive("commandTimeout", commandTimeout);
    OptionChecks.positive("outageMax", outageMax);
    this.uris = uris;
    this.cluster = cluster;
    this.username = username;
    this.password = password;
    this.trustedCertificates = trustedCertificates;
    this.connectTimeout = connectTimeout;
    this.commandTimeout = commandTimeout;
    this.outageMax = outageMax;
  }

  /**
   * Where it is: one {@code redis://host:port} or {@code rediss://host:port} (TLS), one {@code
   * redis-sentinel://host:port,host:port#master}, or some nodes of a cluster.
   */
  public List<String> uris() {
    return uris;
  }

  /** Whether the addresses are nodes of a cluster. Default no. */
  public boolean cluster() {
    return cluster;
  }

  /** Who connects. Default empty: the default user. */
  public Optional<String> username() {
    return Optional.ofNullable(username);
  }

  /** The password. Default empty: none, or that of the address. */
  public Optional<String> password() {
    return Optional.ofNullable(password);
  }

  /**
   * A PEM file with the certificates that sign those of the servers. Only with TLS. Default empty:
   * those that the JVM trusts.
   */
  public Optional<Path> trustedCertificates() {
    return Optional.ofNullable(trustedCertificates);
  }

  /** How long a connection may take to come about. Default 5 seconds. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** How long one command may take before it is tried again. Default 5 seconds. */
  public Duration commandTimeout() {
    return commandTimeout;
  }

  /**
   * How long calls keep trying while the server does not answer; then they throw. Default 15
   * seconds.
   */
  public Duration outageMax() {
    return outageMax;
  }

  /** With this user and password. */
  public RedisOptions withCredentials(String newUsername, String newPassword) {
    return new RedisOptions(
        uris,
        cluster,
        newUsername,
        newPassword,
        trustedCertificates,
        connectTimeout,
        commandTimeout,
        outageMax);
  }

  /** With this password of the default user. */
  public RedisOptions withPassword(String newPassword) {
    return new RedisOptions(
        uris,
        cluster,
        null,
        newPassword,
        trustedCertificates,
        connectTimeout,
        commandTimeout,
        outageMax);
  }

  /** With the certificates of this PEM file trusted. */
  public RedisOptions withTrustedCertificates(Path pem) {
    return new RedisOptions(
        uris, cluster, username, password, pem, connectTimeout, commandTimeout, outageMax);
  }

  /** With this {@link #connectTimeout}. */
  public RedisOptions withConnectTimeout(Duration timeout) {
    return new RedisOptions(
        uris, cluster, username, password, trustedCertificates, timeout, commandTimeout, outageMax);
  }

  /** With this {@link #commandTimeout}. */
  public RedisOptions withCommandTimeout(Duration timeout) {
    return new RedisOptions(
        uris, cluster, username, password, trustedCertificates, connectTimeout, timeout, outageMax);
  }

  /** With this {@link #outageMax}. */
  public RedisOptions withOutageMax(Duration outage) {
    return new RedisOptions(
        uris,
        cluster,
        username,
        password,
        trustedCertificates,
        connectTimeout,
        commandTimeout,
        outage);
  }

  /** Connects; see {@link RedisPulse#connect(RedisOptions)}. */
  public Pulse connect() {
    return RedisPulse.connect(this);
  }

  /** Where Redis is, without passwords. */
  public String where() {
    return String.join(", ", uris.stream().map(RedisOptions::withoutPassword).toList());
  }

  /** The address {@code uri} without what is before its last at sign, also if it is mistaken. */
  public static String withoutPassword(String uri) {
    return uri.replaceFirst("^([a-z-]+://)?.*@", "$1…@");
  }

  /** Does not show the password. */
  @Override
  public String toString() {
    return "RedisOptions(%s%s%s)"
        .formatted(
            where(),
            cluster ? ", cluster" : "",
            username == null ? "" : ", user " + Objects.requireNonNull(username));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RedisOptions that
        && Objects.equals(uris, that.uris)
        && cluster == that.cluster
        && Objects.equals(username, that.username)
        && Objects.equals(password, that.password)
        && Objects.equals(trustedCertificates, that.trustedCertificates)
        && Objects.equals(connectTimeout, that.connectTimeout)
        && Objects.equals(commandTimeout, that.commandTimeout)
        && Objects.equals(outageMax, that.outageMax);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        uris,
        cluster,
        username,
        password,
        trustedCertificates,
        connectTimeout,
        commandTimeout,
        outageMax);
  }
}
