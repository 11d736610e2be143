package dev.tidemark.partitions.internal.server;

import dev.tidemark.grpc.Drain;
import dev.tidemark.kv.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open streams of requests. They are checked at every tick, and ended with the server. */
final class RequestSessions implements Drain, AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration LOOK = Duration.ofMillis(5);

  /** The machine's clock, even in tests that move time by hand: the clients are real. */
  private final TimeSource clock = TimeSource.system();

  private final Set<RequestSession> sessions = ConcurrentHashMap.newKeySet();
  private final Thread ticker;
  private volatile boolean leaving;

  RequestSessions(String node) {
    this.ticker = Thread.ofVirtual().name("tidemark-node-requests-" + node).start(this::tick);
  }

  void add(RequestSession session) {
    sessions.add(session);
    if (leaving) {
      session.leave();
    }
  }

  void remove(RequestSession session) {
    sessions.remove(session);
  }

  private void tick() {
    try {
      while (true) {
        clock.sleep(TICK);
        sessions.forEach(RequestSessions::look);
      }
    } catch (InterruptedException closed) {
      // The end.
    }
  }

  /** What fails with one session must not end the looks at all others. */
  private static void look(RequestSession session) {
    try {
      session.tick();
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "A stream of requests is looked at again after a failure", failure);
    }
  }

  /** Waits until requests that were taken are answered, and ends the streams. */
  @Override
  public void endStreams(Duration patience) throws InterruptedException {
    leaving = true;
    sessions.forEach(RequestSession::leave);
    long deadline = clock.nanos() + patience.toNanos();
    while (!sessions.isEmpty() && clock.nanos() < deadline) {
      sessions.forEach(RequestSession::endIfDone);
      clock.sleep(LOOK);
    }
    sessions.forEach(RequestSession::cutOff);
  }

  @Override
  public void close() {
    ticker.interrupt();
  }
}
