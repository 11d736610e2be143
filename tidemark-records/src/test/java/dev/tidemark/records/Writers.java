package dev.tidemark.records;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Threads that change records, with pauses of random length, until they are closed. */
final class Writers implements AutoCloseable {
  private final List<FutureTask<Boolean>> threads = new ArrayList<>();
  private final AtomicLong changes = new AtomicLong();
  private volatile boolean stopped;

  private Writers() {}

  /** Has {@code count} threads change records with numbers below {@code records}. */
  static Writers start(BuildFixture fixture, int count, int records, long seed) {
    return start(random -> fixture.change(random, records), count, seed);
  }

  /** Has {@code count} threads make one {@code change} after the other. */
  static Writers start(Consumer<SplittableRandom> change, int count, long seed) {
    Writers writers = new Writers();
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(seed * 100 + i);
      FutureTask<Boolean> task =
          new FutureTask<>(
              () -> {
                writers.write(change, random);
                return true;
              });
      writers.threads.add(task);
      Thread.ofPlatform().daemon().start(task);
    }
    return writers;
  }

  private void write(Consumer<SplittableRandom> change, SplittableRandom random) {
    long longestPause = 1L << random.nextInt(10, 22);
    while (!stopped) {
      change.accept(random);
      changes.incrementAndGet();
      LockSupport.parkNanos(random.nextLong(longestPause));
    }
  }

  /** How many changes there were so far. */
  long changes() {
    return changes.get();
  }

  /** Waits for the threads, and passes on what went wrong in them. */
  @Override
  public void close() {
    stopped = true;
    for (FutureTask<Boolean> thread : threads) {
      try {
        thread.get(30, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException | InterruptedException failure) {
        throw new AssertionError("A writer failed or does not end", failure);
      }
    }
  }
}
