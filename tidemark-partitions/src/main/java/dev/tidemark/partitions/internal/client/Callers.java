package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * Why the threads of a client are one crowd, and not one for each server
 *
 * A thread that got its reply from one server asks another one next, as its key wants it. A crowd of the
 * first server waits for it in vain, a timer long, with every frame; with the timer of a busy machine
 * that is most of the time of a request. So all lines of a client share a crowd. Whoever comes last sends
 * for all lines in which others wait for more.
 */

/** The threads that wait for replies of any server, and the lines of requests they are in. */
final class Callers {
  private final Crowd crowd = new Crowd();
  private final AtomicInteger waiting = new AtomicInteger();

  /** Lines whose requests wait for more to come. Each is in here once. */
  private final ConcurrentLinkedQueue<Line> gathering = new ConcurrentLinkedQueue<>();

  Crowd crowd() {
    return crowd;
  }

  /** A request whose reply somebody waits for. */
  void begun() {
    waiting.incrementAndGet();
  }

  /** Nobody waits for the reply any more. */
  void ended() {
    waiting.decrementAndGet();
  }

  /** A frame of {@code requests} has left a line. */
  void sent(int requests) {
    crowd.sent(requests, waiting.get());
  }

  /** The line to one server. */
  final class Line {
    private final Outbox<?, ?> outbox;
    private final AtomicBoolean gathers = new AtomicBoolean();

    Line(Outbox<?, ?> outbox) {
      this.outbox = outbox;
    }

    /** A request has joined this line; has it sent, together with those that are about to come. */
    void joined() {
      crowd.came();
      if (crowd.isMoreToCome()) {
        if (gathers.compareAndSet(false, true)) {
          gathering.add(this);
        }
        // Sends after a moment also if nobody comes.
        outbox.send();
      } else {
        outbox.sendHere();
        sendGathered();
      }
    }

    private void sendGathered() {
      for (Line next = gathering.poll(); next != null; next = gathering.poll()) {
        next.gathers.set(false);
        next.outbox.sendHere();
      }
    }
  }
}
