package dev.tidemark.grpc.internal.server;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/*
 * Why a server has threads of its own for the network
 *
 * A connection belongs to one of them, which alone writes to its socket. Another thread that has
 * something to send leaves it there and wakes that thread. With gRPC's own threads only gRPC can
 * do that: a reply is made by one thread and written by another. Here the whole of a reply can be
 * left to the thread that writes it.
 */

/** The threads on which a server talks to its clients. */
public final class NetworkThreads implements AutoCloseable {
  private static final int END_SECONDS = 1;

  private final EventLoopGroup acceptor;
  private final EventLoopGroup workers;
  private final Supplier<ServerChannel> channels;

  /** Threads for one server: one that accepts connections, and one for each processor. */
  public NetworkThreads() {
    boolean epoll = Epoll.isAvailable();
    channels = epoll ? EpollServerSocketChannel::new : NioServerSocketChannel::new;
    acceptor = threads(1, "tidemark-accept", epoll);
    workers = threads(Runtime.getRuntime().availableProcessors(), "tidemark-network", epoll);
  }

  private static EventLoopGroup threads(int count, String name, boolean epoll) {
    IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(name, true), handlers);
  }

  /** Makes {@code server} use these threads, and {@code memory} for the buffers of the network. */
  public NettyServerBuilder serve(NettyServerBuilder server, NetworkMemory memory) {
    return server
        .bossEventLoopGroup(acceptor)
        .workerEventLoopGroup(workers)
        .channelFactory(new WatchedChannels(channels, memory))
        .withChildOption(ChannelOption.ALLOCATOR, memory.allocator())
        .withChildOption(ChannelOption.RECVBUF_ALLOCATOR, new FrugalReads(memory))
        .addStreamTracerFactory(memory);
  }

  /** The thread that accepts connections, which has time for other short work. */
  public ScheduledExecutorService timer() {
    return acceptor;
  }

  /**
   * An executor that runs work later on the calling thread, or on a virtual thread if the caller is
   * none of these threads.
   */
  public Executor current() {
    for (EventExecutor thread : workers) {
      if (thread.inEventLoop()) {
        return thread;
      }
    }
    return Thread::startVirtualThread;
  }

  private static void end(EventLoopGroup threads) {
    threads
        .shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
  }

  /** Ends the threads, after the server has lost its last connection. */
  @Override
  public void close() {
    end(workers);
    end(acceptor); // Last: workers leave work to its timer.
  }
}
