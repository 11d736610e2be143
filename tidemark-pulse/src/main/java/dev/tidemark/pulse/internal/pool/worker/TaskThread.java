package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.coordination.Threads;
import dev.tidemark.pulse.pool.PoolException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A thread that runs tasks one after the other. A task that fails does not stop the next one. */
final class TaskThread {
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Consumer<Throwable> onFailure;
  private final Thread thread;

  // Guarded by this.
  private boolean calling;
  private boolean givingUp;

  /** Completed with the end of the thread: then there is nothing to wait for. */
  private final CompletableFuture<List<Throwable>> over = new CompletableFuture<>();

  TaskThread(String name, Consumer<Throwable> onFailure) {
    this.onFailure = onFailure;
    this.thread = Thread.ofVirtual().name(name).start(this::work);
  }

  private void work() {
    while (!over.isDone()) {
      try {
        tasks.take().run();
      } catch (InterruptedException interrupt) {
        // The end, which the loop looks for.
      } catch (Throwable failure) {
        if (!over.isDone()) {
          onFailure.accept(failure);
        }
      }
    }
  }

  /** A call of the user's handler. */
  @FunctionalInterface
  interface HandlerCall {
    void make() throws Exception;
  }

  /**
   * Makes a call of the handler. If that leaves the thread interrupted, neither calls of the store
   * nor later tasks shall end by it. For tasks of this thread only.
   */
  static void callHandler(HandlerCall call) throws Exception {
    try {
      call.make();
    } finally {
      Thread.interrupted();
    }
  }

  /** Makes a call of the store, which {@link #giveUpCalls} ends. For tasks of this thread only. */
  <T> T call(Supplier<T> call) {
    synchronized (this) {
      if (givingUp) {
        throw new PoolException("The lease is lost; nothing is said to the store any more");
      }
      calling = true;
    }
    try {
      return call.get();
    } finally {
      endOfCall();
    }
  }

  private synchronized void endOfCall() {
    calling = false;
    if (givingUp) {
      Thread.interrupted(); // meant for the call, which has ended
    }
  }

  /** Ends the call of the store that is under way, and has no more made. */
  synchronized void giveUpCalls() {
    givingUp = true;
    if (calling) {
      thread.interrupt();
    }
  }

  /** Whether the tasks are done by {@code other}. */
  boolean runsOn(Thread other) {
    return thread.equals(other);
  }

  /** Has {@code task} done after those that are there. */
  void add(Runnable task) {
    tasks.add(task);
  }

  /** Has {@code task} done and waits for it; the failures that it returns, or why there is none. */
  List<Throwable> await(Supplier<List<Throwable>> task, Duration patience) {
    CompletableFuture<List<Throwable>> done = new CompletableFuture<>();
    tasks.add(
        () -> {
          try {
            done.complete(task.get());
          } catch (Throwable failure) {
            done.complete(List.of(failure));
          }
        });
    try {
      return done.applyToEither(over, failures -> failures)
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException slow) {
      return List.of(
          new PoolException(
              "The handler of %s did not stop its jobs within %s"
                  .formatted(thread.getName(), patience),
              slow));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return List.of(interrupt);
    } catch (ExecutionException impossible) {
      return List.of(impossible);
    }
  }

  /** Does no more tasks. */
  void end() {
    over.complete(List.of());
    Threads.end(thread);
  }
}
