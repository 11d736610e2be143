package dev.tidemark.pulse.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Ticks that the nodes of a pool share: each goes to one of them. Ticks that nobody waited for are
 * not made up for.
 */
public interface Ticker extends AutoCloseable {
  /** The name that the nodes share. */
  String name();

  /**
   * Waits for the next tick that goes to this node, at most {@code timeout}, or a quarter of a
   * second where that is shorter and the store does not answer.
   *
   * @return the time of the tick; empty if none came, or the ticker has ended
   */
  Optional<Instant> await(Duration timeout);

  /** Whether it was closed here, or stopped everywhere. */
  boolean isEnded();

  /** Ends the ticker on all nodes. */
  void stop();

  /** Ends the ticker on this node; the ticks go to others. Can be called again. */
  @Override
  void close();
}
