package dev.tidemark.remote.internal;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.AccessToken;
import dev.tidemark.remote.RemoteOptions;
import dev.tidemark.remote.internal.wire.Welcome;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes connections to one server. */
final class Dialer implements AutoCloseable {
  static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  static final String BEARER = "Bearer ";

  private static final long FIRST_PAUSE_NANOS = 10_000_000;

  private final Address address;
  private final RemoteOptions options;
  private final ManagedChannel channel;
  private final Channel withToken;

  record Greeted(Connection connection, Welcome welcome) {}

  Dialer(Address address, RemoteOptions options) {
    this.address = address;
    this.options = options;
    this.channel =
        NettyChannelBuilder.forAddress(
                address.host(), address.port(), Credentials.of(address, options.security()))
            .directExecutor()
            .disableRetry()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .flowControlWindow(Wire.WINDOW_BYTES)
            .keepAliveTime(options.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTimeout(options.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
            .build();
    this.withToken =
        options.token().equals(AccessToken.NONE)
            ? channel
            : ClientInterceptors.intercept(
                channel, MetadataUtils.newAttachHeadersInterceptor(header()));
  }

  private Metadata header() {
    Metadata header = new Metadata();
    header.put(AUTHORIZATION, BEARER + options.token().secret());
    return header;
  }

  /**
   * Makes a connection, with {@code hello} as its first request.
   *
   * @throws UnavailableException if the server cannot be reached for now
   * @throws UsageException if it refuses this client
   */
  Greeted dial(Call hello, Connection.Listener listener) {
    // Each time: a name can get other addresses.
    Credentials.checkPlainText(address, options.security());
    channel.resetConnectBackoff();
    Connection connection =
        Connection.open(withToken, address.toString(), options.rowCacheBytes(), listener);
    try {
      Welcome welcome = connection.greet(hello, options.connectTimeout());
      if (welcome.getProtocol() != Wire.PROTOCOL) {
        throw UsageException.invalidOption(
            "The server at %s speaks version %d of the protocol, this client %d; use the same release"
                .formatted(address, welcome.getProtocol(), Wire.PROTOCOL));
      }
      return new Greeted(connection, welcome);
    } catch (DatabaseException failure) {
      connection.close("The connection was not made");
      throw explained(connection.lostWith(), failure);
    }
  }

  private DatabaseException explained(@Nullable Status status, DatabaseException failure) {
    if (failure instanceof TransactionTimedOutException) {
      return unavailable("it did not answer within " + options.connectTimeout(), failure);
    }
    if (status == null) {
      return failure;
    }
    String reason = String.valueOf(status.getDescription());
    return switch (status.getCode()) {
      case UNAUTHENTICATED, PERMISSION_DENIED, FAILED_PRECONDITION, UNIMPLEMENTED ->
          UsageException.invalidOption(
              "The server at %s refuses this client: %s".formatted(address, reason));
      default ->
          unavailable(status.getCause() == null ? reason : reason + ": " + rootOf(status), failure);
    };
  }

  private static Throwable rootOf(Status status) {
    Throwable root = status.getCause();
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root == null ? status.asRuntimeException() : root;
  }

  private UnavailableException unavailable(String reason, DatabaseException cause) {
    return new UnavailableException(
        Failures.PROCESS_BEHIND,
        "The server at %s cannot be reached: %s. Is it running, and does it speak %s?"
            .formatted(address, reason, address.encrypted() ? "TLS" : "plain text"),
        cause);
  }

  /** Waits before attempt number {@code failures}, for a random time that may grow with it. */
  void pause(int failures) throws InterruptedException {
    if (failures > 0) {
      long cap =
          Math.min(
              FIRST_PAUSE_NANOS << Math.min(failures, 20), options.maxReconnectDelay().toNanos());
      long nanos = cap / 2 + ThreadLocalRandom.current().nextLong(cap / 2 + 1);
      options.time().sleep(Duration.ofNanos(nanos));
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
