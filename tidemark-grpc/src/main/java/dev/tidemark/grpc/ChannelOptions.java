package dev.tidemark.grpc;

import dev.tidemark.kv.spi.OptionChecks;
import java.nio.file.Path;
import java.time.Duration;

/** How a client connects. Immutable; {@code with…} methods make copies. */
public final class ChannelOptions {
  /** The shortest interval of keep-alives that every listener permits. */
  private static final Duration KEEP_ALIVE_MIN = Duration.ofSeconds(10);

  private static final ChannelOptions DEFAULTS =
      new ChannelOptions(
          AccessToken.NONE, new ClientSecurity.JavaAuthorities(), KEEP_ALIVE_MIN, 4 << 20, false);

  private final AccessToken token;
  private final ClientSecurity security;
  private final Duration keepAlive;
  private final int messageBytes;
  private final boolean onNetworkThreads;

  private ChannelOptions(
      AccessToken token,
      ClientSecurity security,
      Duration keepAlive,
      int messageBytes,
      boolean onNetworkThreads) {
    this.token = token;
    this.security = security;
    this.keepAlive = keepAlive;
    this.messageBytes = messageBytes;
    this.onNetworkThreads = onNetworkThreads;
    OptionChecks.duration("keepAlive", keepAlive, KEEP_ALIVE_MIN);
    OptionChecks.atLeast("messageBytes", messageBytes, 1);
  }

  /** No token, the authorities that the Java installation knows, plain text on this machine. */
  public static ChannelOptions defaults() {
    return DEFAULTS;
  }

  /** The secret to present to the server. Default {@link AccessToken#NONE}. */
  public AccessToken token() {
    return token;
  }

  /** The authorities to trust on {@code tidemarks://} addresses. */
  public ClientSecurity security() {
    return security;
  }

  /**
   * How long a connection with open calls may be silent before the client sends a keep-alive, and
   * how long the server has to answer it. Default 10 seconds, which is also the least.
   */
  public Duration keepAlive() {
    return keepAlive;
  }

  /** The longest message that is accepted from the server. Default 4 MiB. */
  public int messageBytes() {
    return messageBytes;
  }

  /** Whether observers of replies run on the threads of the network, which must never block. */
  public boolean onNetworkThreads() {
    return onNetworkThreads;
  }

  /** These options with a secret to show to the server. */
  public ChannelOptions withToken(String secret) {
    return withToken(new AccessToken(secret));
  }

  /** These options with a secret to show to the server. */
  public ChannelOptions withToken(AccessToken other) {
    return new ChannelOptions(other, security, keepAlive, messageBytes, onNetworkThreads);
  }

  /** These options with other certificates. */
  public ChannelOptions withSecurity(ClientSecurity other) {
    return new ChannelOptions(token, other, keepAlive, messageBytes, onNetworkThreads);
  }

  /** These options with a PEM file of authorities to trust. */
  public ChannelOptions withAuthorities(Path authorities) {
    return withSecurity(new ClientSecurity.Authorities(authorities));
  }

  /** These options, with plain text to servers on other machines. */
  public ChannelOptions withPlainTextBeyondLoopback() {
    return withSecurity(new ClientSecurity.PlainTextBeyondLoopback());
  }

  /** These options with another silence after which the client sends a keep-alive. */
  public ChannelOptions withKeepAlive(Duration silence) {
    return new ChannelOptions(token, security, silence, messageBytes, onNetworkThreads);
  }

  /** These options with another longest message. */
  public ChannelOptions withMessageBytes(int bytes) {
    return new ChannelOptions(token, security, keepAlive, bytes, onNetworkThreads);
  }

  /** These options with observers of replies on the threads of the network. */
  public ChannelOptions withObserversOnNetworkThreads() {
    return new ChannelOptions(token, security, keepAlive, messageBytes, true);
  }

  /** The options by name, without the token. */
  @Override
  public String toString() {
    return "token=%s, security=%s, keepAlive=%s, messageBytes=%d, onNetworkThreads=%s"
        .formatted(token, security, keepAlive, messageBytes, onNetworkThreads);
  }
}
