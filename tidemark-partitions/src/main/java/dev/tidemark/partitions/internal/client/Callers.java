package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * Why the threads of a client are one crowd, and not one for each server
 *
 * A thread that got its reply from one server often sends its next request to another one, since
 * its next key may be anywhere. A crowd for each server would expect that thread again, and delay
 * every frame until its timer ends; on a busy machine that is most of the time of a request. So all
 * queues of a client share one crowd. The thread that comes last sends the frames of all queues
 * that were waiting for more requests.
 */

/** The threads that wait for replies of any server, and the queues that hold their requests. */
final class Callers {
  private final Crowd crowd = new Crowd();
  private final AtomicInteger waiting = new AtomicInteger();

  /** Queues whose requests wait for more to come. Each is in here once. */
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

    /**
     * A request has been enqueued in {@code line}; sends it together with those that are about to
     * come.
     */
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
