package dev.tidemark.remote;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a client of a served database works.
 *
 * @param token the secret to show to the server. Default {@link AccessToken#NONE}
 * @param security whom to believe on {@code tidemarks://} addresses. Default the authorities that
 *     the Java installation knows. {@code tidemark://} ones, in plain text, must be of this machine
 *     unless it says otherwise
 * @param connectTimeout how long {@link RemoteDatabase#connect} waits for the server. Default 5
 *     seconds; at least a millisecond
 * @param requestTimeout how long a request may wait for the server, also while it cannot be
 *     reached. Default 10 seconds; at least 10 milliseconds. A commit that was sent and not
 *     answered within it is unknown
 * @param maxReconnectDelay longest pause between two attempts to reconnect. Default 1 second
 * @param keepAlive how long a connection may be silent before the server is asked for a sign of
 *     life. Default 10 seconds, which is also the least
 * @param rowCacheBytes about how much memory holds rows that were scanned. A later scan asks the
 *     server whether they are still the same, and only the others travel. Default a sixteenth of
 *     the largest heap, at most 512 MiB; with 0 all rows always travel
 * @param time the clock that this database and the layers on it live by. Default the machine's
 */
public record RemoteOptions(
    AccessToken token,
    ClientSecurity security,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration maxReconnectDelay,
    Duration keepAlive,
    long rowCacheBytes,
    TimeSource time) {
  private static final Duration KEEP_ALIVE_MIN = Duration.ofSeconds(10);

  /** What applies where nothing else is said. */
  public static final RemoteOptions DEFAULTS =
      new RemoteOptions(
          AccessToken.NONE,
          new ClientSecurity.JavaAuthorities(),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          KEEP_ALIVE_MIN,
          Math.min(Runtime.getRuntime().maxMemory() / 16, 512L << 20),
          TimeSource.system());

  /** Refuses values that make no sense. */
  public RemoteOptions {
    check("connectTimeout", connectTimeout, Duration.ofMillis(1));
    check("requestTimeout", requestTimeout, Duration.ofMillis(10));
    check("maxReconnectDelay", maxReconnectDelay, Duration.ZERO);
    check("keepAlive", keepAlive, KEEP_ALIVE_MIN);
    if (rowCacheBytes < 0) {
      throw UsageException.invalidOption(
          "rowCacheBytes is %,d; it must be 0, for none, or more".formatted(rowCacheBytes));
    }
  }

  private static void check(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.toDays() >= 1) {
      throw UsageException.invalidOption(
          "%s is %s; it must be %s or more, and shorter than a day".formatted(name, value, least));
    }
  }

  /** These options with a secret to show to the server. */
  public RemoteOptions withToken(String secret) {
    return new RemoteOptions(
        new AccessToken(secret),
        security,
        connectTimeout,
        requestTimeout,
        maxReconnectDelay,
        keepAlive,
        rowCacheBytes,
        time);
  }

  /** These options with other certificates. */
  public RemoteOptions withSecurity(ClientSecurity other) {
    return new RemoteOptions(
        token,
        other,
        connectTimeout,
        requestTimeout,
        maxReconnectDelay,
        keepAlive,
        rowCacheBytes,
        time);
  }

  /** These options with a PEM file of authorities to believe. */
  public RemoteOptions withAuthorities(Path authorities) {
    return withSecurity(new ClientSecurity.Authorities(authorities));
  }

  /** These options, with plain text to servers on other machines. */
  public RemoteOptions withPlainTextBeyondLoopback() {
    return withSecurity(new ClientSecurity.PlainTextBeyondLoopback());
  }

  /** These options with another wait for the first connection. */
  public RemoteOptions withConnectTimeout(Duration timeout) {
    return new RemoteOptions(
        token,
        security,
        timeout,
        requestTimeout,
        maxReconnectDelay,
        keepAlive,
        rowCacheBytes,
        time);
  }

  /** These options with another wait for replies. */
  public RemoteOptions withRequestTimeout(Duration timeout) {
    return new RemoteOptions(
        token,
        security,
        connectTimeout,
        timeout,
        maxReconnectDelay,
        keepAlive,
        rowCacheBytes,
        time);
  }

  /** These options with another longest pause between attempts to reconnect. */
  public RemoteOptions withMaxReconnectDelay(Duration delay) {
    return new RemoteOptions(
        token, security, connectTimeout, requestTimeout, delay, keepAlive, rowCacheBytes, time);
  }

  /** These options with another silence after which the server is asked for a sign of life. */
  public RemoteOptions withKeepAlive(Duration silence) {
    return new RemoteOptions(
        token,
        security,
        connectTimeout,
        requestTimeout,
        maxReconnectDelay,
        silence,
        rowCacheBytes,
        time);
  }

  /** These options with another amount of memory for rows that were scanned. */
  public RemoteOptions withRowCacheBytes(long bytes) {
    return new RemoteOptions(
        token, security, connectTimeout, requestTimeout, maxReconnectDelay, keepAlive, bytes, time);
  }

  /** These options with another clock. */
  public RemoteOptions withTime(TimeSource other) {
    return new RemoteOptions(
        token,
        security,
        connectTimeout,
        requestTimeout,
        maxReconnectDelay,
        keepAlive,
        rowCacheBytes,
        other);
  }
}
