package dev.tidemark.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufHolder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelOutboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Connection;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one connection holds: messages that came in part, bytes that no handler has asked
 * for, and replies that the client has not taken. The first handler of its pipeline; written by the
 * thread of the connection, others look at it.
 */
final class ConnectionMemory extends ChannelInboundHandlerAdapter {
  /** The least age of bytes that have just come, so that they count at all. */
  private static final double LEAST_SECONDS = 0.001;

  private final NetworkMemory memory;
  private final Channel channel;
  private final Set<StreamMemory> streams = ConcurrentHashMap.newKeySet();
  private final Replies replies = new Replies();
  private @Nullable Http2Connection http2;
  private boolean paused;

  private volatile @Nullable ChannelHandlerContext context;
  private volatile boolean closing;
  private volatile long unasked;
  private volatile long unaskedSinceNanos;
  private volatile long untaken;
  private volatile long untakenSinceNanos;

  ConnectionMemory(NetworkMemory memory, Channel channel) {
    this.memory = memory;
    this.channel = channel;
  }

  void opened(StreamMemory stream) {
    streams.add(stream);
  }

  void closed(StreamMemory stream) {
    streams.remove(stream);
  }

  /** Notes that a handler got a message: the bytes behind it wait since now. */
  void tookMessage() {
    lookAtUnasked();
    unaskedSinceNanos = memory.nanos();
  }

  long bytes() {
    return unasked + untaken + streams.stream().mapToLong(StreamMemory::bytes).sum();
  }

  double byteSeconds(long now) {
    return byteSeconds(unasked, unaskedSinceNanos, now)
        + byteSeconds(untaken, untakenSinceNanos, now)
        + streams.stream().mapToDouble(stream -> stream.byteSeconds(now)).sum();
  }

  static double byteSeconds(long bytes, long since, long now) {
    return bytes == 0 ? 0 : bytes * (Math.max(0, now - since) / 1e9 + LEAST_SECONDS);
  }

  /** Ends the connection at once: an orderly end would wait for the client. */
  void close() {
    closing = true;
    ChannelHandlerContext own = context;
    if (own != null) {
      var unused = own.close(); // From the first handler, so that no other one can delay it.
    }
  }

  /** Whether its memory is about to be free. */
  boolean isClosing() {
    return closing;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** The last event of a connection. */
  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    memory.ended(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext own, Object message) {
    long bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
    memory.handling(this);
    try {
      own.fireChannelRead(message);
    } finally {
      memory.handling(null);
    }
    lookAtUnasked();
    memory.moved(bytes);
    if (memory.isFull() && !paused) {
      pause();
    }
  }

  private void lookAtUnasked() {
    Http2Connection connection = http2 == null ? http2() : http2;
    if (connection != null) {
      int now = connection.local().flowController().unconsumedBytes(connection.connectionStream());
      if (unasked == 0 && now > 0) {
        unaskedSinceNanos = memory.nanos();
      }
      unasked = now;
    }
  }

  /** HTTP/2 is there once both sides have agreed on it. */
  private @Nullable Http2Connection http2() {
    Http2ConnectionHandler handler = channel.pipeline().get(Http2ConnectionHandler.class);
    if (handler != null) {
      http2 = handler.connection();
      // Last, so that it is the first to see what gRPC writes.
      channel.pipeline().addLast(replies);
    }
    return http2;
  }

  /** Reads nothing from the client until there is memory again. */
  private void pause() {
    paused = true;
    channel.config().setAutoRead(false);
    memory.whenFree(() -> channel.eventLoop().execute(this::resume));
  }

  private void resume() {
    paused = false;
    channel.config().setAutoRead(true);
  }

  /** Counts what gRPC has sent and the network has not: what the client has no window for. */
  private final class Replies extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext own, Object message, ChannelPromise promise) {
      if (message instanceof ByteBufHolder frame) {
        int bytes = frame.content().readableBytes();
        if (untaken == 0) {
          untakenSinceNanos = memory.nanos();
        }
        add(bytes);
        var unused = own.write(message, promise.unvoid()).addListener(sent -> taken(bytes));
      } else {
        var unused = own.write(message, promise);
      }
    }

    private void taken(int bytes) {
      add(-bytes);
      untakenSinceNanos = memory.nanos();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    private void add(int bytes) {
      untaken += bytes;
    }
  }
}
