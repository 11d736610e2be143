package dev.tidemark.pulse.redis.internal.link;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * A small pool of connections for blocking reads. Connecting costs as much as reading a thousand
 * events, so a few connections are kept for reuse. They are closed with the connector.
 */
public final class ReadSessions {
  private static final int SPARE_MAX = 4;

  private final Connector connector;
  private final Link link;
  private final Queue<Session> spare = new ArrayBlockingQueue<>(SPARE_MAX);

  public ReadSessions(Connector connector, Link link) {
    this.connector = connector;
    this.link = link;
  }

  /** A connection that nobody else uses. */
  public Session open() {
    for (Session kept = spare.poll(); kept != null; kept = spare.poll()) {
      if (kept.isConnected()) {
        return kept;
      }
      kept.close();
    }
    return link.patiently(connector::open);
  }

  /** Takes back a connection over which nothing is under way. */
  public void giveBack(Session session) {
    if (!spare.offer(session)) {
      session.close();
    }
  }
}
