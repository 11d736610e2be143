package dev.tidemark.pulse.internal;

import java.time.Duration;

/** Renews the lease of a node three times in its length, whatever else the node is busy with. */
final class Heartbeat implements AutoCloseable {
  private final NodeLife life;
  private final Runnable onBeat;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Begins to beat.
   *
   * @param onBeat called after every beat, also after the one that found the lease lost
   */
  Heartbeat(NodeLife life, Runnable onBeat) {
    this.life = life;
    this.onBeat = onBeat;
    this.thread = Threads.startDaemon("pulse-heartbeat-" + life.id(), this::beat);
  }

  private void beat() {
    Duration ttl = life.core().options().workerTtl();
    Duration pause = ttl.dividedBy(3);
    while (!closed && life.core().pause(pause) && !life.isLost()) {
      try {
        life.renew();
        pause = ttl.dividedBy(3);
      } catch (RuntimeException failure) {
        if (closed) {
          return;
        }
        life.core()
            .reportAside("The lease of the node %s was not renewed".formatted(life.id()), failure);
        pause = ttl.dividedBy(10);
      }
      onBeat.run();
    }
    if (!closed) {
      onBeat.run();
    }
  }

  @Override
  public void close() {
    closed = true;
    Threads.end(thread);
  }
}
