package dev.tidemark.grpc;

import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.stream.Stream;

/**
 * Where a server is: {@code tidemark://host:port}, or {@code tidemarks://host:port} with TLS.
 *
 * @param host a name or an IP address
 * @param port from 1 to 65,535
 * @param encrypted whether the server speaks TLS
 */
public record Address(String host, int port, boolean encrypted) {
  private static final String PLAIN = "tidemark";
  private static final String ENCRYPTED = "tidemarks";

  /** Refuses addresses that nothing can listen on. */
  public Address {
    if (host.isBlank() || port < 1 || port > 65_535) {
      throw UsageException.invalidOption(
          "\"%s\" port %d is no address of a server; give a host and a port from 1 to 65535"
              .formatted(host, port));
    }
  }

  /**
   * The address written as {@code text}; it has {@code defaultPort} where the text has no port.
   *
   * @throws UsageException if the text is no address
   */
  public static Address parse(String text, int defaultPort) {
    try {
      return parse(new URI(text), defaultPort);
    } catch (URISyntaxException malformed) {
      throw noAddress(text);
    }
  }

  /** {@link #parse(String, int)} of {@code uri}. */
  public static Address parse(URI uri, int defaultPort) {
    boolean encrypted = ENCRYPTED.equals(uri.getScheme());
    boolean known = encrypted || PLAIN.equals(uri.getScheme());
    boolean bare =
        (uri.getPath() == null || uri.getPath().isEmpty() || uri.getPath().equals("/"))
            && uri.getQuery() == null
            && uri.getUserInfo() == null
            && uri.getFragment() == null;
    int port = uri.getPort() < 0 ? defaultPort : uri.getPort();
    if (!known || !bare || uri.getHost() == null || port == 0) {
      throw noAddress(uri);
    }
    return new Address(uri.getHost(), port, encrypted);
  }

  private static UsageException noAddress(Object given) {
    return UsageException.invalidOption(
        "%s is no address of a server; write tidemark://host:port, or tidemarks://host:port for"
                .formatted(given)
            + " TLS, and nothing behind it");
  }

  /**
   * Whether the host is this machine, by all addresses that it has now.
   *
   * @throws UnavailableException if the host is unknown
   */
  public boolean isLoopback() {
    try {
      return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException unknown) {
      throw UnavailableException.unreachable(
          "The server at %s cannot be reached: nobody knows its host".formatted(this), unknown);
    }
  }

  /** The same address with TLS. */
  public Address withTls() {
    return new Address(host, port, true);
  }

  /** This address as a URI. */
  public URI toUri() {
    return URI.create(toString());
  }

  /** This address as {@link #parse(String, int)} reads it. */
  @Override
  public String toString() {
    boolean bareIpv6 = host.contains(":") && !host.startsWith("[");
    String inUri = bareIpv6 ? "[" + host + "]" : host;
    return "%s://%s:%d".formatted(encrypted ? ENCRYPTED : PLAIN, inUri, port);
  }
}
