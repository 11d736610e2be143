package dev.tidemark.remote.internal.server;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;

/** Counts the bytes of all streams of a server as they cross the network. */
final class ByteCounting extends ServerStreamTracer.Factory {
  /** What comes in by the stream of a call. */
  static final Context.Key<Incoming> INCOMING = Context.key("tidemark-incoming");

  private final ServerCounters counters;

  ByteCounting(ServerCounters counters) {
    this.counters = counters;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Incoming(counters);
  }

  /** The bytes of one stream. One thread counts incoming bytes; others read the count. */
  static final class Incoming extends ServerStreamTracer {
    private final ServerCounters counters;
    private volatile long received;
    private volatile long receivedInFrames;

    Incoming(ServerCounters counters) {
      this.counters = counters;
    }

    /** Bytes of all frames so far. */
    long received() {
      return received;
    }

    /** Bytes of a frame that is not complete yet; zero without one. */
    long ofPartialFrame() {
      long whole = receivedInFrames; // First, so that a frame that ends now is not less than zero.
      return received - whole;
    }

    @Override
    public Context filterContext(Context context) {
      return context.withValue(INCOMING, this);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    public void inboundWireSize(long bytes) {
      counters.bytesReceived.add(bytes);
      received += bytes;
    }

    @Override
    public void inboundMessageRead(int number, long wireSize, long uncompressedSize) {
      receivedInFrames = received;
    }

    @Override
    public void outboundWireSize(long bytes) {
      counters.bytesSent.add(bytes);
    }
  }
}
