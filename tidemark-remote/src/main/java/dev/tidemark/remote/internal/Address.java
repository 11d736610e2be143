package dev.tidemark.remote.internal;

import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.RemoteDatabase;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.stream.Stream;

/**
 * Where a server is: {@code tidemark://host:port}, or {@code tidemarks://host:port} with TLS. The
 * port may be left out where it is {@link RemoteDatabase#DEFAULT_PORT}.
 */
record Address(String host, int port, boolean encrypted) {
  private static final String PLAIN = "tidemark";
  private static final String ENCRYPTED = "tidemarks";

  static Address parse(String text) {
    try {
      return parse(new URI(text));
    } catch (URISyntaxException malformed) {
      throw noAddress(text);
    }
  }

  static Address parse(URI uri) {
    boolean encrypted = ENCRYPTED.equals(uri.getScheme());
    boolean known = encrypted || PLAIN.equals(uri.getScheme());
    boolean bare =
        (uri.getPath() == null || uri.getPath().isEmpty() || uri.getPath().equals("/"))
            && uri.getQuery() == null
            && uri.getUserInfo() == null
            && uri.getFragment() == null;
    int port = uri.getPort() < 0 ? RemoteDatabase.DEFAULT_PORT : uri.getPort();
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
   * Whether the host is this machine, by each of its addresses for now.
   *
   * @throws UnavailableException if nobody knows it
   */
  boolean isLoopback() {
    try {
      return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException unknown) {
      throw new UnavailableException(
          Failures.PROCESS_BEHIND,
          "The server at %s cannot be reached: nobody knows its host".formatted(this),
          unknown);
    }
  }

  Address withTls() {
    return new Address(host, port, true);
  }

  URI toUri() {
    return URI.create(toString());
  }

  @Override
  public String toString() {
    boolean bareIpv6 = host.contains(":") && !host.startsWith("[");
    String inUri = bareIpv6 ? "[" + host + "]" : host;
    return "%s://%s:%d".formatted(encrypted ? ENCRYPTED : PLAIN, inUri, port);
  }
}
