package dev.tidemark.remote.internal.client;

import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.RemoteOptions;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Welcome;
import io.grpc.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes connections to one server. */
final class Dialer implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

  private final Address address;
  private final RemoteOptions options;
  private final GrpcChannel channel;
  private final Backoff backoff;

  record Greeted(Connection connection, Welcome welcome) {}

  Dialer(Address address, RemoteOptions options) {
    this.address = address;
    this.options = options;
    this.backoff = Backoff.of(FIRST_PAUSE, options.maxReconnectDelay()).withAtLeastHalf();
    this.channel =
        GrpcChannel.open(
            address,
            options.channel().withObserversOnNetworkThreads().withMessageBytes(Integer.MAX_VALUE));
  }

  /**
   * Makes a connection, with {@code hello} as its first request.
   *
   * @throws UnavailableException if the server cannot be reached at the moment
   * @throws UsageException if it refuses this client
   */
  Greeted dial(Call hello, Connection.Listener listener) {
    Connection connection =
        Connection.open(
            channel.channelNow(), address.toString(), options.rowCacheBytes(), listener);
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
      return channel.unreachable("it did not answer within " + options.connectTimeout(), failure);
    }
    boolean interrupted = failure instanceof InterruptedOperationException;
    return status == null || interrupted ? failure : channel.failure(status, failure);
  }

  /** What calls beside the session go over. */
  GrpcChannel channel() {
    return channel;
  }

  /** Waits before attempt number {@code failures}, for a random time that may grow with it. */
  void pause(int failures) throws InterruptedException {
    backoff.pause(failures, options.time());
  }

  @Override
  public void close() {
    channel.close();
  }
}
