package dev.tidemark.node.internal.meters;

import dev.tidemark.coordination.Loop;
import dev.tidemark.kv.Database;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The threads of the demo that work until they are stopped. */
final class Rounds {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private Rounds() {}

  /**
   * Starts a thread that runs {@code round} again and again until {@code stopped}. A failure, also
   * an {@link Error}, is logged and the next round begins after a pause: what was not done comes
   * again, and what never succeeds is found by the audit.
   */
  static Thread start(Database database, String name, BooleanSupplier stopped, Loop.Round round) {
    return Thread.ofVirtual()
        .name(name)
        .start(new Loop(database.time(), stopped, round, (failure, inARow) -> log(name, failure)));
  }

  private static Duration log(String name, Throwable failure) {
    System.getLogger(Rounds.class.getName())
        .log(System.Logger.Level.WARNING, name + " goes on after a failure", failure);
    return PAUSE;
  }
}
