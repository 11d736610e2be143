package dev.tidemark.foundationdb.internal.facade;

import dev.tidemark.foundationdb.internal.FdbErrors;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Futures for work that is done at once, and for work that waits. */
final class Futures {
  /** Starts a virtual thread for each task. */
  static final Executor VIRTUAL_THREADS = Thread::startVirtualThread;

  private Futures() {}

  /** The result of {@code work}, which is done before this method returns. */
  static <T> CompletableFuture<T> now(Supplier<T> work) {
    try {
      return CompletableFuture.completedFuture(work.get());
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(FdbErrors.of(failure));
    }
  }

  /**
   * The result of {@code work}, which may wait. It runs in a virtual thread, because executors that
   * programs hand to fdb-java are small and made for callbacks: only those run in {@code executor}.
   */
  static <T> CompletableFuture<T> later(Executor executor, Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> settle(result, executor, work));
    return result;
  }

  /** The result of {@code work}, which runs at once; {@code executor} completes the future. */
  static <T> CompletableFuture<T> apart(Executor executor, Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<T> done = now(work);
    Runnable tell =
        () -> {
          var unused =
              done.whenComplete(
                  (value, failure) -> {
                    if (failure == null) {
                      result.complete(value);
                    } else {
                      result.completeExceptionally(failure);
                    }
                  });
        };
    try {
      executor.execute(tell);
    } catch (RejectedExecutionException shutDown) {
      tell.run();
    }
    return result;
  }

  /** The future that {@code body} answers, or one with the failure that it throws instead. */
  static <R, T> CompletableFuture<T> started(
      R argument, Function<? super R, ? extends CompletableFuture<T>> body) {
    try {
      return Objects.requireNonNull(body.apply(argument), "The body answered null, not a future");
    } catch (Throwable failure) {
      return CompletableFuture.failedFuture(FdbErrors.of(failure));
    }
  }

  /** Completes {@code result} with what {@code work} answers, in {@code executor}. */
  static <T> void settle(CompletableFuture<T> result, Executor executor, Supplier<T> work) {
    try {
      T value = work.get();
      dispatch(executor, () -> result.complete(value));
    } catch (Throwable failure) {
      Throwable translated = FdbErrors.of(failure);
      dispatch(executor, () -> result.completeExceptionally(translated));
    }
  }

  private static void dispatch(Executor executor, Runnable completion) {
    if (executor.equals(VIRTUAL_THREADS)) {
      completion.run();
      return;
    }
    try {
      executor.execute(completion);
    } catch (RejectedExecutionException shutDown) {
      completion.run();
    }
  }
}
