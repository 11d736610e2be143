package dev.tidemark.remote;

import dev.tidemark.kv.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How a server of a database works.
 *
 * @param host address or name of this machine to listen on. Default {@code 127.0.0.1}, which only
 *     this machine reaches
 * @param port port to listen on, 0 to 65,535. Default 0, which takes a free one; see {@link
 *     DatabaseServer#port}
 * @param security encryption. Default plain text, on loopback addresses only
 * @param tokens tokens that clients may show, with what they may do. Default none, which lets
 *     everybody in who can connect, to read and write
 * @param clients most clients at a time. Default 10,000; at least 1. One more is refused when it
 *     greets, unless it comes again. There may be twice as many connections, and a hundred
 * @param clientLimits what one client may have open
 * @param bytes bytes of requests being worked on and of replies in line, of all clients together.
 *     Default a quarter of the memory that the JVM may use; at least 1 MiB. Half of it goes to
 *     whoever comes first, and the other half is kept in equal shares for all {@code clients}: one
 *     that has used up its share waits until it has less, or all together have less than half. So
 *     nobody waits for others. One frame and the replies that are being made, up to four, may go
 *     beyond it for each client; what the network holds for it, up to 4 MiB, comes on top
 * @param drainTimeout how long {@link DatabaseServer#close} waits for running commits. Default 10
 *     seconds
 * @param slowClientTimeout how long a client may leave replies untaken while it waits for more
 *     before it is cut off, and how long it may stay silent before its greeting or within a frame,
 *     or connected without a session (there a second or more). After as long without a word from a
 *     client, five seconds at least, it is asked for a sign of life, and has as long again to give
 *     it. Default 30 seconds; at least a millisecond
 */
public record ServerOptions(
    String host,
    int port,
    ServerSecurity security,
    Map<AccessToken, Role> tokens,
    int clients,
    ClientLimits clientLimits,
    long bytes,
    Duration drainTimeout,
    Duration slowClientTimeout) {
  private static final long BYTES_MIN = 1 << 20;

  /** What applies where nothing else is said. */
  public static final ServerOptions DEFAULTS =
      new ServerOptions(
          "127.0.0.1",
          0,
          new ServerSecurity.PlainText(false),
          Map.of(),
          10_000,
          ClientLimits.DEFAULTS,
          Math.max(BYTES_MIN, Runtime.getRuntime().maxMemory() / 4),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30));

  /** Refuses values that make no sense. */
  public ServerOptions {
    tokens = Map.copyOf(tokens);
    if (host.isBlank() || port < 0 || port > 65_535) {
      throw UsageException.invalidOption(
          "The server cannot listen on \"%s\" port %d; give an address and a port from 0 to 65535"
              .formatted(host, port));
    }
    if (tokens.containsKey(AccessToken.NONE)) {
      throw UsageException.invalidOption(
          "An empty token would let everybody in; leave tokens out to do that on purpose");
    }
    if (clients < 1) {
      throw UsageException.invalidOption("clients is " + clients + "; it must be 1 or more");
    }
    if (bytes < BYTES_MIN) {
      throw UsageException.invalidOption(
          "bytes is %,d; it must be %,d or more".formatted(bytes, BYTES_MIN));
    }
    check("drainTimeout", drainTimeout, Duration.ZERO);
    check("slowClientTimeout", slowClientTimeout, Duration.ofMillis(1));
  }

  private static void check(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.toDays() >= 1) {
      throw UsageException.invalidOption(
          "%s is %s; it must be %s or more, and shorter than a day".formatted(name, value, least));
    }
  }

  /** These options with another address to listen on. */
  public ServerOptions withHost(String other) {
    return new ServerOptions(
        other,
        port,
        security,
        tokens,
        clients,
        clientLimits,
        bytes,
        drainTimeout,
        slowClientTimeout);
  }

  /** These options with another port; 0 for a free one. */
  public ServerOptions withPort(int other) {
    return new ServerOptions(
        host,
        other,
        security,
        tokens,
        clients,
        clientLimits,
        bytes,
        drainTimeout,
        slowClientTimeout);
  }

  /** These options with other encryption. */
  public ServerOptions withSecurity(ServerSecurity other) {
    return new ServerOptions(
        host, port, other, tokens, clients, clientLimits, bytes, drainTimeout, slowClientTimeout);
  }

  /** These options with TLS, from PEM files. */
  public ServerOptions withTls(Path certificateChain, Path privateKey) {
    return withSecurity(new ServerSecurity.Tls(certificateChain, privateKey));
  }

  /** These options with plain text also on addresses that other machines reach. */
  public ServerOptions withPlainTextBeyondLoopback() {
    return withSecurity(new ServerSecurity.PlainText(true));
  }

  /** These options with one more token that clients may show. */
  public ServerOptions withToken(String secret, Role role) {
    Map<AccessToken, Role> more = new HashMap<>(tokens);
    more.put(new AccessToken(secret), role);
    return new ServerOptions(
        host, port, security, more, clients, clientLimits, bytes, drainTimeout, slowClientTimeout);
  }

  /** These options with another number of clients. */
  public ServerOptions withClients(int count) {
    return new ServerOptions(
        host, port, security, tokens, count, clientLimits, bytes, drainTimeout, slowClientTimeout);
  }

  /** These options with other limits of a client. */
  public ServerOptions withClientLimits(ClientLimits other) {
    return new ServerOptions(
        host, port, security, tokens, clients, other, bytes, drainTimeout, slowClientTimeout);
  }

  /** These options with another number of bytes for all clients together. */
  public ServerOptions withBytes(long count) {
    return new ServerOptions(
        host,
        port,
        security,
        tokens,
        clients,
        clientLimits,
        count,
        drainTimeout,
        slowClientTimeout);
  }

  /** These options with another wait for running commits at the end. */
  public ServerOptions withDrainTimeout(Duration time) {
    return new ServerOptions(
        host, port, security, tokens, clients, clientLimits, bytes, time, slowClientTimeout);
  }

  /** These options with another patience with clients that do not read. */
  public ServerOptions withSlowClientTimeout(Duration time) {
    return new ServerOptions(
        host, port, security, tokens, clients, clientLimits, bytes, drainTimeout, time);
  }
}
