package dev.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Many threads that do the same thing at the same time. */
final class Crew {
  private Crew() {}

  /** What one thread of a crew does, with random numbers of its own. */
  @FunctionalInterface
  interface Work {
    /** Does it once. */
    void run(SplittableRandom random) throws Exception;
  }

  static Contestant virtual(int threads, Work work) {
    return deadline -> run(threads, Thread.ofVirtual(), deadline, work);
  }

  static Contestant platform(int threads, Work work) {
    return deadline -> run(threads, Thread.ofPlatform(), deadline, work);
  }

  private static long run(int count, Thread.Builder builder, long deadline, Work work)
      throws InterruptedException {
    LongAdder done = new LongAdder();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(deadline);
    for (int i = 0; i < count; i++) {
      SplittableRandom random = seeds.split();
      threads.add(
          builder.start(
              () -> {
                try {
                  while (System.nanoTime() < deadline) {
                    work.run(random);
                    done.increment();
                  }
                } catch (Throwable thrown) {
                  failure.compareAndSet(null, thrown);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("A thread of the crew failed", thrown);
    }
    return done.sum();
  }
}
