package dev.tidemark.grpc.internal.server;

import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What a stream holds of a message that is not complete. Written by the thread of its connection;
 * others look at it.
 */
final class StreamMemory extends ServerStreamTracer {
  private final NetworkMemory memory;
  private final @Nullable ConnectionMemory connection;
  private volatile long bytes;
  private volatile long sinceNanos;
  private long pieceBytes;

  StreamMemory(NetworkMemory memory, @Nullable ConnectionMemory connection) {
    this.memory = memory;
    this.connection = connection;
    if (connection != null) {
      connection.opened(this);
    }
  }

  long bytes() {
    return bytes;
  }

  double byteSeconds(long now) {
    return ConnectionMemory.byteSeconds(bytes, sinceNanos, now);
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
  public void inboundWireSize(long size) {
    if (bytes == 0) {
      sinceNanos = memory.nanos();
    }
    pieceBytes += NetworkMemory.PIECE_BYTES;
    memory.addPieceBytes(NetworkMemory.PIECE_BYTES);
    bytes += size + NetworkMemory.PIECE_BYTES;
  }

  @Override
  public void inboundMessageRead(int number, long wireSize, long uncompressedSize) {
    forget();
    if (connection != null) {
      connection.tookMessage();
    }
  }

  /** Called by the sender of a reply before it hands the reply to the network. */
  @Override
  public void outboundWireSize(long size) {
    memory.moved(size);
  }

  @Override
  public void streamClosed(Status status) {
    forget();
    if (connection != null) {
      connection.closed(this);
    }
  }

  private void forget() {
    bytes = 0;
    memory.addPieceBytes(-pieceBytes);
    pieceBytes = 0;
  }
}
