package dev.tidemark.grpc;

import dev.tidemark.grpc.internal.security.BearerToken;
import dev.tidemark.grpc.internal.security.Credentials;
import dev.tidemark.grpc.internal.security.PlainTextRule;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to one {@link GrpcListener}, which sends the client's token with each call.
 *
 * <p>Nothing is sent when it is opened; the first call connects. A lost connection is made again by
 * the next call. gRPC retries nothing: the caller knows which calls may be repeated.
 */
public final class GrpcChannel implements AutoCloseable {
  /**
   * The flow-control window of both directions. It is fixed, because gRPC would otherwise estimate
   * it, with a ping for every few messages.
   */
  static final int WINDOW_BYTES = 2 << 20;

  private final Address address;
  private final ChannelOptions options;
  private final ManagedChannel connection;
  private final Channel withToken;

  private GrpcChannel(Address address, ChannelOptions options) {
    this.address = address;
    this.options = options;
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(
                address.host(), address.port(), Credentials.of(address, options.security()))
            .disableRetry()
            .maxInboundMessageSize(options.messageBytes())
            .flowControlWindow(WINDOW_BYTES)
            .keepAliveTime(options.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTimeout(options.keepAlive().toNanos(), TimeUnit.NANOSECONDS);
    this.connection =
        options.onNetworkThreads()
            ? builder.directExecutor().build()
            : builder.executor(Thread::startVirtualThread).build();
    this.withToken =
        options.token().equals(AccessToken.NONE)
            ? connection
            : ClientInterceptors.intercept(
                connection,
                MetadataUtils.newAttachHeadersInterceptor(BearerToken.headers(options.token())));
  }

  /**
   * A channel to {@code address}.
   *
   * @throws UsageException if a certificate cannot be read
   */
  public static GrpcChannel open(Address address, ChannelOptions options) {
    return new GrpcChannel(address, options);
  }

  /**
   * The channel for stubs. Call this before each call or session instead of keeping the result: a
   * name can get other addresses, and plain text must not follow it to another machine.
   *
   * @throws UsageException if plain text would leave the machine without being asked to
   * @throws UnavailableException if the host is unknown
   */
  public Channel channel() {
    PlainTextRule.check(address, options.security());
    return withToken;
  }

  /** The same, and a connection that failed is tried again at once. */
  public Channel channelNow() {
    Channel channel = channel();
    connection.resetConnectBackoff();
    return channel;
  }

  /** Where the server is. */
  public Address address() {
    return address;
  }

  /** The options that this channel was opened with. */
  public ChannelOptions options() {
    return options;
  }

  /**
   * The exception for a call that ended with {@code status} before the server did any work: {@link
   * UsageException} if the server refuses this client, {@link UnavailableException} if it cannot be
   * reached.
   */
  public DatabaseException failure(Status status, @Nullable Throwable cause) {
    String reason = String.valueOf(status.getDescription());
    return switch (status.getCode()) {
      case UNAUTHENTICATED, PERMISSION_DENIED, FAILED_PRECONDITION, UNIMPLEMENTED ->
          UsageException.invalidOption(
              "The server at %s refuses this client: %s".formatted(address, reason));
      default ->
          unreachable(status.getCause() == null ? reason : reasonOf(rootOf(status), reason), cause);
    };
  }

  /** The commonest reasons are said in words, the others with what the network says of them. */
  private static String reasonOf(Throwable root, String description) {
    String message = String.valueOf(root.getMessage());
    if (root instanceof ConnectException && message.endsWith("refused")) {
      return "connection refused";
    }
    if (root instanceof SSLException && message.startsWith("not an SSL/TLS record")) {
      return "what answers there speaks no TLS";
    }
    // gRPC lets the stages of its channel follow in further lines.
    return description.lines().findFirst().orElse(description) + ": " + root;
  }

  private static Throwable rootOf(Status status) {
    Throwable root = status.getCause();
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root == null ? status.asRuntimeException() : root;
  }

  /** The exception for a server that cannot be reached because of {@code reason}. */
  public UnavailableException unreachable(String reason, @Nullable Throwable cause) {
    return UnavailableException.unreachable(
        "The server at %s cannot be reached: %s. Is it running, and does it speak %s?"
            .formatted(address, reason, address.encrypted() ? "TLS" : "plain text"),
        cause);
  }

  /** Ends all calls and the connection. */
  @Override
  public void close() {
    connection.shutdownNow();
  }
}
