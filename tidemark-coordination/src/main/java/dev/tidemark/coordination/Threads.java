package dev.tidemark.coordination;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Starts threads that must run at once, and ends threads. */
public final class Threads {
  private static final TimeSource TIME = TimeSource.system();

  /** Close is promised within a second, and something else may take its share of that. */
  private static final Duration PATIENCE = Duration.ofMillis(800);

  private Threads() {}

  /**
   * Starts a platform thread. Virtual threads share a few carriers, which may be busy for long with
   * work that computes without a pause; a thread that keeps a lease must not wait for them.
   */
  public static Thread startDaemon(String name, Runnable task) {
    return Thread.ofPlatform().daemon().name(name).start(task);
  }

  /**
   * Interrupts {@code thread} and waits until it has ended, so that it does not use what is closed
   * next. One that has not been started is left alone.
   */
  public static void end(Thread thread) {
    thread.interrupt();
    if (thread.isAlive()) {
      awaitEnd(List.of(thread));
    }
  }

  /**
   * Runs {@code end} with the interrupt flag of this thread cleared, and sets it again afterwards:
   * a task that was interrupted still releases what it holds.
   */
  public static void undisturbed(Runnable end) {
    boolean interrupted = Thread.interrupted();
    try {
      end.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits for the end of {@code threads}, for less than a second; interrupts those that have not
   * ended by half of that. The caller's own thread is left alone.
   */
  public static void awaitEnd(Collection<Thread> threads) {
    long begin = TIME.nanos();
    try {
      join(threads, begin + PATIENCE.toNanos() / 2);
      others(threads).forEach(Thread::interrupt);
      join(threads, begin + PATIENCE.toNanos());
    } catch (InterruptedException interrupt) {
      others(threads).forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Collection<Thread> threads, long deadline) throws InterruptedException {
    for (Thread thread : others(threads)) {
      long left = deadline - TIME.nanos();
      if (left > 0) {
        thread.join(Duration.ofNanos(left));
      }
    }
  }

  private static Collection<Thread> others(Collection<Thread> threads) {
    return threads.stream()
        .filter(thread -> thread.isAlive() && !thread.equals(Thread.currentThread()))
        .toList();
  }
}
