package dev.tidemark.remote;

import dev.tidemark.grpc.AccessToken;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.kv.spi.OptionChecks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** How a server of a database works. Immutable; {@code with…} methods make copies. */
public final class ServerOptions {
  private static final long BYTES_MIN = 1 << 20;

  /** What applies where nothing else is said. */
  public static final ServerOptions DEFAULTS =
      new ServerOptions(
          ListenerOptions.defaults(),
          10_000,
          ClientLimits.DEFAULTS,
          Math.max(BYTES_MIN, Runtime.getRuntime().maxMemory() / 4));

  private final ListenerOptions listener;
  private final int clients;
  private final ClientLimits clientLimits;
  private final long bytes;

  private ServerOptions(
      ListenerOptions listener, int clients, ClientLimits clientLimits, long bytes) {
    this.listener = listener;
    this.clients = clients;
    this.clientLimits = clientLimits;
    this.bytes = bytes;
    OptionChecks.atLeast("clients", clients, 1);
    OptionChecks.atLeast("bytes", bytes, BYTES_MIN);
  }

  /**
   * Where the server listens, and which clients it admits. The server sets the number of
   * connections.
   */
  public ListenerOptions listener() {
    return listener;
  }

  /**
   * The address or name of this machine to listen on. Default {@code 127.0.0.1}, which only this
   * machine reaches.
   */
  public String host() {
    return listener.host();
  }

  /**
   * The port to listen on, 0 to 65,535. Default 0, which takes a free one; see {@link
   * DatabaseServer#port}.
   */
  public int port() {
    return listener.port();
  }

  /** Encryption. Default plain text, on loopback addresses only. */
  public ServerSecurity security() {
    return listener.security();
  }

  /**
   * Tokens that clients may show, with what they may do: {@link Role#READ} reads and watches,
   * {@link Role#WRITE} commits too. Default none, which lets everybody in who can connect, to do
   * everything; on addresses that other machines reach that takes {@link #withEverybodyAllowed}.
   */
  public Map<AccessToken, Role> tokens() {
    return listener.tokens();
  }

  /**
   * Most clients at a time. Default 10,000; at least 1. One more is refused when it greets, unless
   * it comes again. There may be twice as many connections, and a hundred.
   */
  public int clients() {
    return clients;
  }

  /** What one client may have open. */
  public ClientLimits clientLimits() {
    return clientLimits;
  }

  /**
   * Bytes of requests at work and of queued replies, of all clients together. Default a quarter of
   * the memory that the JVM may use; at least 1 MiB. Half of it is given first come, first served,
   * and the other half is kept in equal shares for all {@link #clients}: one that has used up its
   * share waits until it has less, or all together have less than half. So nobody waits for others.
   * One frame and the replies that are being made, up to four, may go beyond it for each client.
   * What the network holds has {@link #networkBytes}.
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Bytes that the network may hold for all clients together, in direct memory: frames that have
   * come in part, requests beyond the limits, replies that clients have not taken. Default a
   * quarter of the memory that the JVM may use; at least 8 MiB. Beyond it the connections that have
   * held the most for the longest time are closed.
   */
  public long networkBytes() {
    return listener.networkBytes();
  }

  /** How long {@link DatabaseServer#close} waits for running commits. Default 10 seconds. */
  public Duration drainTimeout() {
    return listener.drainTimeout();
  }

  /**
   * How long a client may leave replies untaken while it waits for more before it is cut off, and
   * how long it may stay silent before its greeting or within a frame, or connected without a
   * session (there a second or more). After as long without a word from a client, five seconds at
   * least, it is asked for a sign of life, and has as long again to give it. Default 30 seconds; at
   * least a millisecond.
   */
  public Duration slowClientTimeout() {
    return listener.silenceTimeout();
  }

  private ServerOptions with(ListenerOptions other) {
    return new ServerOptions(other, clients, clientLimits, bytes);
  }

  /** These options with another address to listen on. */
  public ServerOptions withHost(String other) {
    return with(listener.withHost(other));
  }

  /** These options with another port; 0 for a free one. */
  public ServerOptions withPort(int other) {
    return with(listener.withPort(other));
  }

  /** These options with other encryption. */
  public ServerOptions withSecurity(ServerSecurity other) {
    return with(listener.withSecurity(other));
  }

  /** These options with TLS, from PEM files. */
  public ServerOptions withTls(Path certificateChain, Path privateKey) {
    return with(listener.withTls(certificateChain, privateKey));
  }

  /** These options with plain text also on addresses that other machines reach. */
  public ServerOptions withPlainTextBeyondLoopback() {
    return with(listener.withPlainTextBeyondLoopback());
  }

  /** These options with one more token that clients may show. */
  public ServerOptions withToken(String secret, Role role) {
    return with(listener.withToken(secret, role));
  }

  /** These options with {@code more} tokens that clients may show. */
  public ServerOptions withTokens(Map<AccessToken, Role> more) {
    return with(listener.withTokens(more));
  }

  /** These options with everything allowed to everybody who can connect, if there are no tokens. */
  public ServerOptions withEverybodyAllowed() {
    return with(listener.withEverybodyAllowed());
  }

  /** These options with another number of bytes that the network may hold for all clients. */
  public ServerOptions withNetworkBytes(long count) {
    return with(listener.withNetworkBytes(count));
  }

  /** These options with another number of clients. */
  public ServerOptions withClients(int count) {
    return new ServerOptions(listener, count, clientLimits, bytes);
  }

  /** These options with other limits of a client. */
  public ServerOptions withClientLimits(ClientLimits other) {
    return new ServerOptions(listener, clients, other, bytes);
  }

  /** These options with another number of bytes for all clients together. */
  public ServerOptions withBytes(long count) {
    return new ServerOptions(listener, clients, clientLimits, count);
  }

  /** These options with another wait for running commits at the end. */
  public ServerOptions withDrainTimeout(Duration time) {
    return with(listener.withDrainTimeout(time));
  }

  /** These options with another patience with clients that do not read. */
  public ServerOptions withSlowClientTimeout(Duration time) {
    OptionChecks.duration("slowClientTimeout", time, Duration.ofMillis(1));
    return with(listener.withSilenceTimeout(time));
  }

  /** The options by name, without the tokens. */
  @Override
  public String toString() {
    return "ServerOptions[%s, clients=%d, clientLimits=%s, bytes=%d]"
        .formatted(listener, clients, clientLimits, bytes);
  }
}
