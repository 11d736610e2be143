package dev.tidemark.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFactory;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import java.util.function.Supplier;

/** Makes listening channels that show each accepted connection to a {@link NetworkMemory}. */
final class WatchedChannels implements ChannelFactory<ServerChannel> {
  private final Supplier<ServerChannel> plain;
  private final NetworkMemory memory;

  WatchedChannels(Supplier<ServerChannel> plain, NetworkMemory memory) {
    this.plain = plain;
    this.memory = memory;
  }

  @Override
  public ServerChannel newChannel() {
    ServerChannel channel = plain.get();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object accepted) {
                memory.accepted((Channel) accepted);
                context.fireChannelRead(accepted);
              }
            });
    return channel;
  }
}
