package dev.tidemark.remote;

import dev.tidemark.grpc.AccessToken;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ClientSecurity;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.spi.OptionChecks;
import java.nio.file.Path;
import java.time.Duration;

/** How a client of a served database works. Immutable; {@code with…} methods make copies. */
public final class RemoteOptions {
  /** What applies where nothing else is said. */
  public static final RemoteOptions DEFAULTS =
      new RemoteOptions(
          ChannelOptions.defaults(),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Math.min(Runtime.getRuntime().maxMemory() / 16, 512L << 20),
          TimeSource.system());

  private final ChannelOptions channel;
  private final Duration connectTimeout;
  private final Duration requestTimeout;
  private final Duration maxReconnectDelay;
  private final long rowCacheBytes;
  private final TimeSource time;

  private RemoteOptions(
      ChannelOptions channel,
      Duration connectTimeout,
      Duration requestTimeout,
      Duration maxReconnectDelay,
      long rowCacheBytes,
      TimeSource time) {
    this.channel = channel;
    this.connectTimeout = connectTimeout;
    this.requestTimeout = requestTimeout;
    this.maxReconnectDelay = maxReconnectDelay;
    this.rowCacheBytes = rowCacheBytes;
    this.time = time;
    OptionChecks.duration("connectTimeout", connectTimeout, Duration.ofMillis(1));
    OptionChecks.duration("requestTimeout", requestTimeout, Duration.ofMillis(10));
    OptionChecks.duration("maxReconnectDelay", maxReconnectDelay, Duration.ZERO);
    OptionChecks.atLeast("rowCacheBytes", rowCacheBytes, 0);
  }

  /** How the client connects. */
  public ChannelOptions channel() {
    return channel;
  }

  /** The secret to present to the server. Default {@link AccessToken#NONE}. */
  public AccessToken token() {
    return channel.token();
  }

  /**
   * The authorities to trust on {@code tidemarks://} addresses. Default those of the Java
   * installation. {@code tidemark://} addresses, in plain text, must be of this machine unless this
   * says otherwise.
   */
  public ClientSecurity security() {
    return channel.security();
  }

  /**
   * How long {@link RemoteDatabase#connect} waits for the server. Default 5 seconds; at least a
   * millisecond.
   */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /**
   * How long a request may wait for the server, also while it cannot be reached. Default 10
   * seconds; at least 10 milliseconds. A commit that was sent and not answered within it is
   * unknown.
   */
  public Duration requestTimeout() {
    return requestTimeout;
  }

  /** Longest pause between two attempts to reconnect. Default 1 second. */
  public Duration maxReconnectDelay() {
    return maxReconnectDelay;
  }

  /**
   * How long a connection may be silent before the client sends a keep-alive. Default 10 seconds,
   * which is also the least.
   */
  public Duration keepAlive() {
    return channel.keepAlive();
  }

  /**
   * About how much memory caches rows that were scanned. A later scan asks the server whether they
   * are still the same, and only changed rows are sent. Default a sixteenth of the largest heap, at
   * most 512 MiB; 0 caches nothing.
   */
  public long rowCacheBytes() {
    return rowCacheBytes;
  }

  /**
   * The clock for waits, pauses and timeouts. Default the machine's. The time of day is the
   * store's: see {@link RemoteDatabase#time}.
   */
  public TimeSource time() {
    return time;
  }

  private RemoteOptions with(ChannelOptions other) {
    return new RemoteOptions(
        other, connectTimeout, requestTimeout, maxReconnectDelay, rowCacheBytes, time);
  }

  /** These options with a secret to show to the server. */
  public RemoteOptions withToken(String secret) {
    return with(channel.withToken(secret));
  }

  /** These options with a secret to show to the server. */
  public RemoteOptions withToken(AccessToken token) {
    return with(channel.withToken(token));
  }

  /** These options with other certificates. */
  public RemoteOptions withSecurity(ClientSecurity other) {
    return with(channel.withSecurity(other));
  }

  /** These options with a PEM file of authorities to trust. */
  public RemoteOptions withAuthorities(Path authorities) {
    return with(channel.withAuthorities(authorities));
  }

  /** These options, with plain text to servers on other machines. */
  public RemoteOptions withPlainTextBeyondLoopback() {
    return with(channel.withPlainTextBeyondLoopback());
  }

  /** These options with another wait for the first connection. */
  public RemoteOptions withConnectTimeout(Duration timeout) {
    return new RemoteOptions(
        channel, timeout, requestTimeout, maxReconnectDelay, rowCacheBytes, time);
  }

  /** These options with another wait for replies. */
  public RemoteOptions withRequestTimeout(Duration timeout) {
    return new RemoteOptions(
        channel, connectTimeout, timeout, maxReconnectDelay, rowCacheBytes, time);
  }

  /** These options with another longest pause between attempts to reconnect. */
  public RemoteOptions withMaxReconnectDelay(Duration delay) {
    return new RemoteOptions(channel, connectTimeout, requestTimeout, delay, rowCacheBytes, time);
  }

  /** These options with another silence after which the client sends a keep-alive. */
  public RemoteOptions withKeepAlive(Duration silence) {
    return with(channel.withKeepAlive(silence));
  }

  /** These options with another amount of memory for rows that were scanned. */
  public RemoteOptions withRowCacheBytes(long bytes) {
    return new RemoteOptions(
        channel, connectTimeout, requestTimeout, maxReconnectDelay, bytes, time);
  }

  /** These options with another clock. */
  public RemoteOptions withTime(TimeSource other) {
    return new RemoteOptions(
        channel, connectTimeout, requestTimeout, maxReconnectDelay, rowCacheBytes, other);
  }

  /** The options by name, without the token. */
  @Override
  public String toString() {
    return ("RemoteOptions[%s, connectTimeout=%s, requestTimeout=%s, maxReconnectDelay=%s,"
            + " rowCacheBytes=%d]")
        .formatted(channel, connectTimeout, requestTimeout, maxReconnectDelay, rowCacheBytes);
  }
}
