package dev.tidemark.grpc.internal.frames;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How a server's stream to a client ends: the client leaves, or the server closes the stream after
 * the frame that is being sent. Whoever is first, what is held for the stream is released once.
 */
public final class StreamEnd {
  private final ServerCallStreamObserver<?> client;
  private final Outbox<?, ?> outbox;
  private final Runnable onEnd;
  private final AtomicBoolean over = new AtomicBoolean();

  /** The end of the stream to {@code client}, at which {@code onEnd} releases what it held. */
  public StreamEnd(ServerCallStreamObserver<?> client, Outbox<?, ?> outbox, Runnable onEnd) {
    this.client = client;
    this.outbox = outbox;
    this.onEnd = onEnd;
  }

  /** Listens for a client that can take more, or has gone. Requests nothing yet. */
  public void watch() {
    client.disableAutoRequest();
    client.setOnReadyHandler(outbox::send);
    client.setOnCancelHandler(this::finish);
    client.setOnCloseHandler(this::finish);
  }

  /** Whether the stream is over. */
  public boolean isOver() {
    return over.get();
  }

  /** Notes that the stream is over, because the client has ended it or the call is closed. */
  public void finish() {
    if (over.compareAndSet(false, true)) {
      outbox.end(() -> {});
      onEnd.run();
    }
  }

  /** Closes the stream with {@code status}, unless it is over. */
  public void close(Status status) {
    if (!over.get()) {
      outbox.end(() -> send(status));
    }
  }

  private void send(Status status) {
    try {
      if (status.isOk()) {
        client.onCompleted();
      } else {
        client.onError(status.asRuntimeException());
      }
    } catch (IllegalStateException gone) {
      // The client was faster.
    }
    finish();
  }
}
