package dev.tidemark.testkit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Threads in tests: started together, joined before the test goes on, failures passed on. */
final class Concurrently {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private Concurrently() {}

  /** Something to do in a thread of its own. */
  @FunctionalInterface
  interface Task {
    void run() throws Exception;
  }

  /** Runs all {@code tasks} at a time and waits for them. */
  static void run(Task... tasks) throws Exception {
    join(Stream.of(tasks).map(Concurrently::start).toList());
  }

  /** Runs all {@code tasks} at a time in virtual threads and waits for them. */
  static void runVirtual(Task... tasks) throws Exception {
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
  static Running start(Task task) {
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
  record Running(Thread thread, FutureTask<Boolean> result) {
    /** Waits until the thread waits for something other than the processor. */
    void awaitBlocked() {
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
    void join() throws Exception {
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
