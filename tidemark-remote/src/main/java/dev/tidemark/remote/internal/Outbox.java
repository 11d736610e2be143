package dev.tidemark.remote.internal;

import io.grpc.stub.CallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/*
 * Why frames gather by themselves
 *
 * Whoever puts a message in line when no sender is about starts one, on a virtual thread. By the
 * time it runs, the other threads that were ready to run have put theirs in line too, and all go out
 * as one frame. Under load frames are large, and an idle line sends at once; no timer is needed.
 *
 * `sending` is held by at most one thread. It is given up before the line is looked at for the last
 * time, so a message put in line at that moment finds either the old sender or starts a new one.
 */

/** Messages that wait to be sent, and go out as frames when the transport takes some. */
final class Outbox<M, F> {
  private static final int FRAME_BYTES = 1 << 20;
  private static final int FRAME_MESSAGES = 4_096;

  private final Function<List<M>, F> frames;
  private final ToIntFunction<M> sizes;
  private final CallStreamObserver<F> transport;
  private final Runnable onSent;
  private final ConcurrentLinkedQueue<M> line = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong framesSent = new AtomicLong();
  private final AtomicBoolean sending = new AtomicBoolean();
  private volatile boolean closed;

  /** An outbox to {@code transport}; {@code onSent} is told after each frame. */
  Outbox(
      CallStreamObserver<F> transport,
      ToIntFunction<M> sizes,
      Function<List<M>, F> frames,
      Runnable onSent) {
    this.transport = transport;
    this.sizes = sizes;
    this.frames = frames;
    this.onSent = onSent;
  }

  /** Puts {@code message} in line, and has it sent soon. */
  void add(M message) {
    enqueue(message);
    send();
  }

  /** Puts {@code message} in line; a later call of {@link #send} or {@link #sendHere} sends it. */
  void enqueue(M message) {
    bytes.addAndGet(sizes.applyAsInt(message));
    line.add(message);
  }

  /** Has what is in line sent soon, together with what joins it until then. */
  void send() {
    if (sending.compareAndSet(false, true)) {
      Thread.startVirtualThread(this::drain);
    }
  }

  /** Sends what is in line on this thread, unless another one is at it. */
  void sendHere() {
    if (sending.compareAndSet(false, true)) {
      drain();
    }
  }

  private void drain() {
    boolean holding = true;
    while (holding) {
      if (closed) {
        line.clear();
        return; // Nobody sends any more.
      }
      if (transport.isReady() && !line.isEmpty()) {
        sendFrame();
      } else {
        sending.set(false);
        boolean more = transport.isReady() && !line.isEmpty();
        holding = more && sending.compareAndSet(false, true);
      }
    }
  }

  private void sendFrame() {
    List<M> gathered = new ArrayList<>();
    long size = 0;
    while (size < FRAME_BYTES && gathered.size() < FRAME_MESSAGES) {
      M next = line.peek();
      int nextSize = next == null ? 0 : sizes.applyAsInt(next);
      if (next == null || (size > 0 && size + nextSize > FRAME_BYTES)) {
        break;
      }
      line.remove();
      gathered.add(next);
      size += nextSize;
    }
    try {
      transport.onNext(frames.apply(gathered));
    } catch (IllegalStateException ended) {
      closed = true; // The stream was ended meanwhile; its observer is told why.
    }
    bytes.addAndGet(-size);
    framesSent.incrementAndGet();
    onSent.run();
  }

  /** Bytes of the messages in line. */
  long bytes() {
    return bytes.get();
  }

  /** Frames sent so far. */
  long framesSent() {
    return framesSent.get();
  }

  boolean isEmpty() {
    return line.isEmpty() && !sending.get();
  }

  /** Drops what is in line and what comes later. */
  void close() {
    closed = true;
    line.clear();
  }
}
