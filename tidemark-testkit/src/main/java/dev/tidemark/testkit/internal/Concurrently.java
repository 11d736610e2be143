package dev.tidemark.testkit.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Threads in tests: started together, joined before the test goes on, failures passed on. */
public final class Concurrently {
  /** How long a thread may take to end. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private Concurrently() {}

  /** Something to do in a thread of its own. */
  @FunctionalInterface
  public interface Task {
    /** Does it; what it throws reaches the test. */
    void run() throws Exception;
  }

  /** Runs all {@code tasks} at a time and waits for them. */
  public static void run(Task... tasks) throws Exception {
    join(Stream.of(tasks).map(Concurrently::start).toList());
  }

  /** Runs all {@code tasks} at a time in virtual threads and waits for them. */
  public static void runVirtual(Task... tasks) throws Exception {
    join(Stream.of(tasks).map(task -> start(task, Thread.ofVirtual())).toList());
  }

  private static void join(List<Running> running) throws Exception {
    for (Running each : running) {
      each.join();
    }
  }

  /**
   * Starts {@code task}. In a platform thread: tasks that never block would keep virtual threads
   * that wait for a carrier from running at all.
   */
  public static Running start(Task task) {
    return start(task, Thread.ofPlatform().daemon());
  }

  private static Running start(Task task, Thread.Builder threads) {
    FutureTask<Boolean> future =
        new FutureTask<>(
            () -> {
              task.run();
              return true;
            });
    return new Running(threads.start(future), future);
  }

  /** A task that was started. */
  public record Running(Thread thread, FutureTask<Boolean> result) {
    /** Waits until the thread waits for something other than the processor. */
    public void awaitBlocked() {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!isBlocked()) {
        if (!thread.isAlive() || System.nanoTime() > deadline) {
          throw new AssertionError("The thread was expected to wait; it is " + thread.getState());
        }
        Thread.onSpinWait();
      }
    }

    private boolean isBlocked() {
      return switch (thread.getState()) {
        case WAITING, TIMED_WAITING -> true;
        case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
      };
    }

    /** Waits for the end and passes a failure on. */
    public void join() throws Exception {
      try {
        result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException failure) {
        if (failure.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw new AssertionError("A thread of the test failed", failure.getCause());
      } catch (TimeoutException timeout) {
        AssertionError error =
            new AssertionError("A thread of the test does not end within " + PATIENCE, timeout);
        error.setStackTrace(thread.getStackTrace());
        throw error;
      }
    }
  }
}
