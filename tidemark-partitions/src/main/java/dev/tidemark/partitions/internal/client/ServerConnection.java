package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.partitions.internal.protocol.FrameLimits;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import io.grpc.Channel;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What a client has of one server: the connection, and a stream of requests over it. */
final class ServerConnection implements AutoCloseable {
  private final String address;
  private final Callers callers;
  private final GrpcChannel channel;
  private final ReentrantLock opening = new ReentrantLock();

  /** Written under the lock. */
  private volatile @Nullable RequestStream stream;

  // Guarded by the lock.
  private boolean closed;

  ServerConnection(String address, ChannelOptions options, Callers callers) {
    this.address = address;
    this.callers = callers;
    this.channel =
        GrpcChannel.open(
            ServerAddresses.parse(address, options),
            options
                .withObserversOnNetworkThreads()
                .withMessageBytes(Math.max(options.messageBytes(), FrameLimits.FRAME_BYTES)));
  }

  /** For single calls. */
  Channel channelNow() {
    return channel.channelNow();
  }

  /** The stream; where it is lost, a new one. */
  RequestStream stream() {
    RequestStream open = stream;
    return open != null && open.isOpen() ? open : newStream();
  }

  private RequestStream newStream() {
    opening.lock();
    try {
      RequestStream open = stream;
      if (open == null || !open.isOpen()) {
        open = RequestStream.open(channel.channelNow(), address, callers);
        stream = open;
        if (closed) {
          open.close();
        }
      }
      return open;
    } finally {
      opening.unlock();
    }
  }

  @Override
  public void close() {
    opening.lock();
    try {
      closed = true;
      RequestStream open = stream;
      if (open != null) {
        open.close();
      }
    } finally {
      opening.unlock();
    }
    channel.close();
  }
}
