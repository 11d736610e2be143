package dev.tidemark.grpc.internal.server;

import dev.tidemark.grpc.NetworkRoom;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.RecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.util.UncheckedBooleanSupplier;

/**
 * Reads from connections into buffers as large as what comes; into small ones, one at a time, while
 * the memory is full. A connection can be told to read no more only once it has read something, and
 * thousands may have something to read at that moment.
 */
final class FrugalReads implements RecvByteBufAllocator {
  private static final int SMALL_BYTES = 256;

  private final RecvByteBufAllocator plenty = new AdaptiveRecvByteBufAllocator();
  private final NetworkRoom room;

  FrugalReads(NetworkRoom room) {
    this.room = room;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty has no other type to return here
  public Handle newHandle() {
    return new FrugalHandle((ExtendedHandle) plenty.newHandle(), room);
  }

  private static final class FrugalHandle extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle plenty;
    private final NetworkRoom room;

    FrugalHandle(ExtendedHandle plenty, NetworkRoom room) {
      super(plenty);
      this.plenty = plenty;
      this.room = room;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      return room.isFull() ? allocator.ioBuffer(SMALL_BYTES) : plenty.allocate(allocator);
    }

    @Override
    public boolean continueReading() {
      return !room.isFull() && plenty.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier mayHaveMore) {
      return !room.isFull() && plenty.continueReading(mayHaveMore);
    }
  }
}
