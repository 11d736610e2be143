package dev.tidemark.remote.internal;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;

/** Counts the bytes of all streams of a server as they cross the network. */
final class ByteCounting extends ServerStreamTracer.Factory {
  private final ServerStreamTracer tracer;

  ByteCounting(ServerCounters counters) {
    this.tracer =
        new ServerStreamTracer() {
          @Override
          public void inboundWireSize(long bytes) {
            counters.bytesReceived.add(bytes);
          }

          @Override
          public void outboundWireSize(long bytes) {
            counters.bytesSent.add(bytes);
          }
        };
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return tracer;
  }
}
