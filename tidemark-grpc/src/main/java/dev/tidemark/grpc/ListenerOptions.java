package dev.tidemark.grpc;

import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Where a server listens, and which clients it admits. Immutable; {@code with…} methods make
 * copies.
 */
public final class ListenerOptions {
  private static final long NETWORK_BYTES_MIN = 8 << 20;

  private static final ListenerOptions DEFAULTS =
      new ListenerOptions(
          "127.0.0.1",
          0,
          new ServerSecurity.PlainText(false),
          Map.of(),
          false,
          1_000,
          Math.max(NETWORK_BYTES_MIN, Runtime.getRuntime().maxMemory() / 4),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30));

  private final String host;
  private final int port;
  private final ServerSecurity security;
  private final Map<AccessToken, Role> tokens;
  private final boolean everybody;
  private final int connections;
  private final long networkBytes;
  private final Duration drainTimeout;
  private final Duration silenceTimeout;

  private ListenerOptions(
      String host,
      int port,
      ServerSecurity security,
      Map<AccessToken, Role> tokens,
      boolean everybody,
      int connections,
      long networkBytes,
      Duration drainTimeout,
      Duration silenceTimeout) {
    this.host = host;
    this.port = port;
    this.security = security;
    this.tokens = Map.copyOf(tokens);
    this.everybody = everybody;
    this.connections = connections;
    this.networkBytes = networkBytes;
    this.drainTimeout = drainTimeout;
    this.silenceTimeout = silenceTimeout;
    check();
  }

  private void check() {
    if (host.isBlank() || port < 0 || port > 65_535) {
      throw UsageException.invalidOption(
          "The server cannot listen on \"%s\" port %d; give an address and a port from 0 to 65535"
              .formatted(host, port));
    }
    if (tokens.containsKey(AccessToken.NONE)) {
      throw UsageException.invalidOption(
          "An empty token would let everybody in; leave tokens out to do that on purpose");
    }
    OptionChecks.atLeast("connections", connections, 1);
    OptionChecks.atLeast("networkBytes", networkBytes, NETWORK_BYTES_MIN);
    OptionChecks.duration("drainTimeout", drainTimeout, Duration.ZERO);
    OptionChecks.duration("silenceTimeout", silenceTimeout, Duration.ofMillis(1));
  }

  /** A free port of {@code 127.0.0.1}, in plain text, for everybody on this machine. */
  public static ListenerOptions defaults() {
    return DEFAULTS;
  }

  /** The address or name of this machine to listen on. Default {@code 127.0.0.1}. */
  public String host() {
    return host;
  }

  /** The port to listen on. Default 0, which takes a free one; see {@link GrpcListener#port}. */
  public int port() {
    return port;
  }

  /** Encryption. Default plain text, which is for loopback addresses only. */
  public ServerSecurity security() {
    return security;
  }

  /**
   * Tokens that clients may present, with their roles. Default none: every client may do
   * everything, which takes {@link #withEverybodyAllowed} on addresses that other machines reach.
   */
  public Map<AccessToken, Role> tokens() {
    return tokens;
  }

  /**
   * Whether everybody may do everything, also from other machines, where there are neither tokens
   * nor certificates of clients. Default no.
   */
  public boolean allowsEverybody() {
    return everybody;
  }

  /** Most connections at a time. Default 1,000; at least 1. One more is ended. */
  public int connections() {
    return connections;
  }

  /**
   * Bytes that the network may hold for all clients together, in direct memory: messages that have
   * come in part, requests that no handler has asked for yet, replies that clients have not taken.
   * Default a quarter of the memory that the JVM may use; at least 8 MiB. Beyond it the connections
   * that have held the most for the longest time are closed, until a fifth of it is free.
   */
  public long networkBytes() {
    return networkBytes;
  }

  /** How long {@link GrpcListener#close} waits for open calls. Default 10 seconds. */
  public Duration drainTimeout() {
    return drainTimeout;
  }

  /**
   * How long a connection may be without calls before it is ended. A client that is silent for as
   * long, and at least five seconds, gets a keep-alive and has as long again to answer it. Default
   * 30 seconds; at least a millisecond.
   */
  public Duration silenceTimeout() {
    return silenceTimeout;
  }

  /** These options with another address to listen on. */
  public ListenerOptions withHost(String other) {
    return new ListenerOptions(
        other,
        port,
        security,
        tokens,
        everybody,
        connections,
        networkBytes,
        drainTimeout,
        silenceTimeout);
  }

  /** These options with another port; 0 for a free one. */
  public ListenerOptions withPort(int other) {
    return new ListenerOptions(
        host,
        other,
        security,
        tokens,
        everybody,
        connections,
        networkBytes,
        drainTimeout,
        silenceTimeout);
  }

  /** These options with other encryption. */
  public ListenerOptions withSecurity(ServerSecurity other) {
    return new ListenerOptions(
        host,
        port,
        other,
        tokens,
        everybody,
        connections,
        networkBytes,
        drainTimeout,
        silenceTimeout);
  }

  /** These options with TLS, from PEM files. */
  public ListenerOptions withTls(Path certificateChain, Path privateKey) {
    return withSecurity(new ServerSecurity.Tls(certificateChain, privateKey));
  }

  /** These options with plain text also on addresses that other machines reach. */
  public ListenerOptions withPlainTextBeyondLoopback() {
    return withSecurity(new ServerSecurity.PlainText(true));
  }

  /** These options with one more token that clients may present. */
  public ListenerOptions withToken(String secret, Role role) {
    return withTokens(Map.of(new AccessToken(secret), role));
  }

  /** These options with {@code more} tokens, such as those of a {@link TokenFile}. */
  public ListenerOptions withTokens(Map<AccessToken, Role> more) {
    Map<AccessToken, Role> all = new HashMap<>(tokens);
    all.putAll(more);
    return new ListenerOptions(
        host,
        port,
        security,
        all,
        everybody,
        connections,
        networkBytes,
        drainTimeout,
        silenceTimeout);
  }

  /** These options with everything allowed to everybody who can connect, if there are no tokens. */
  public ListenerOptions withEverybodyAllowed() {
    return new ListenerOptions(
        host,
        port,
        security,
        tokens,
        true,
        connections,
        networkBytes,
        drainTimeout,
        silenceTimeout);
  }

  /** These options with another number of connections. */
  public ListenerOptions withConnections(int count) {
    return new ListenerOptions(
        host, port, security, tokens, everybody, count, networkBytes, drainTimeout, silenceTimeout);
  }

  /** These options with another number of bytes that the network may hold. */
  public ListenerOptions withNetworkBytes(long count) {
    return new ListenerOptions(
        host, port, security, tokens, everybody, connections, count, drainTimeout, silenceTimeout);
  }

  /** These options with another wait for open calls at the end. */
  public ListenerOptions withDrainTimeout(Duration time) {
    return new ListenerOptions(
        host, port, security, tokens, everybody, connections, networkBytes, time, silenceTimeout);
  }

  /** These options with another time for silent connections. */
  public ListenerOptions withSilenceTimeout(Duration time) {
    return new ListenerOptions(
        host, port, security, tokens, everybody, connections, networkBytes, drainTimeout, time);
  }

  /** The options by name, without the tokens. */
  @Override
  public String toString() {
    return ("host=%s, port=%d, security=%s, tokens=%d, everybody=%s, connections=%d,"
            + " networkBytes=%d, drainTimeout=%s, silenceTimeout=%s")
        .formatted(
            host,
            port,
            security,
            tokens.size(),
            everybody,
            connections,
            networkBytes,
            drainTimeout,
            silenceTimeout);
  }
}
