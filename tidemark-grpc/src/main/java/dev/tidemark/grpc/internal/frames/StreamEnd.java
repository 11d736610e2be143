package dev.tidemark.grpc.internal.frames;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** How a server ends a stream from its side. */
public final class StreamEnd {
  private StreamEnd() {}

  /** Ends {@code client}'s stream with {@code status}, unless the client has ended it already. */
  public static void send(StreamObserver<?> client, Status status) {
    try {
      if (status.isOk()) {
        client.onCompleted();
      } else {
        client.onError(status.asRuntimeException());
      }
    } catch (IllegalStateException over) {
      // The client was faster.
    }
  }
}
