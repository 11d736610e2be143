package dev.tidemark.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Many threads that do the same thing at the same time. */
public final class Crew {
  private Crew() {}

  /** What one thread of a crew does, with random numbers of its own. */
  @FunctionalInterface
  public interface Work {
    /** Does it once. */
    void run(SplittableRandom random) throws Exception;
  }

  public static Contestant virtual(int threads, Work work) {
    return deadline -> run(threads, Thread.ofVirtual(), deadline, thread -> work);
  }

  public static Contestant platform(int threads, Work work) {
    return deadline -> run(threads, Thread.ofPlatform(), deadline, thread -> work);
  }

  /** Platform threads that each have something of their own, such as a connection. */
  public static Contestant platformEach(int threads, IntFunction<Work> works) {
    return deadline -> run(threads, Thread.ofPlatform(), deadline, works);
  }

  /** Virtual threads that each have something of their own, such as a connection. */
  public static Contestant virtualEach(int threads, IntFunction<Work> works) {
    return deadline -> run(threads, Thread.ofVirtual(), deadline, works);
  }

  private static long run(int count, Thread.Builder builder, long deadline, IntFunction<Work> works)
      throws InterruptedException {
    LongAdder done = new LongAdder();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(deadline);
    for (int i = 0; i < count; i++) {
      SplittableRandom random = seeds.split();
      Work work = works.apply(i);
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
