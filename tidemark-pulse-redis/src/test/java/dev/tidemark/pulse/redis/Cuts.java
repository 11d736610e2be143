package dev.tidemark.pulse.redis;

import dev.tidemark.testkit.faults.CuttingProxy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Connections that are cut at random moments while something goes on. */
final class Cuts {
  private static final long SEED = 20;

  private Cuts() {}

  /** Cuts connections of {@code proxy} until {@code work} is done; fails as that does. */
  static void during(CuttingProxy proxy, Runnable work) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    FutureTask<Boolean> task = new FutureTask<>(work, true);
    Thread worker = Thread.ofVirtual().start(task);
    while (!worker.join(Duration.ofMillis(random.nextInt(5, 40)))) {
      proxy.cut(random);
    }
    try {
      task.get();
    } catch (ExecutionException failure) {
      throw new AssertionError("With cuts of seed " + SEED + ": " + failure, failure.getCause());
    }
  }
}
