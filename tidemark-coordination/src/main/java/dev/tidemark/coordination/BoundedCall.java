package dev.tidemark.coordination;

import dev.tidemark.kv.InterruptedOperationException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A call of the store with a time limit. */
public final class BoundedCall {
  private BoundedCall() {}

  /**
   * What {@code call} returns or throws; empty if it does neither within {@code limit}. Then it is
   * interrupted, and its effect may or may not happen.
   */
  public static <T> Optional<T> within(Duration limit, Supplier<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread caller = Thread.ofVirtual().name("bounded-call").start(() -> run(call, result));
    try {
      return Optional.of(result.get(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException late) {
      caller.interrupt();
      return Optional.empty();
    } catch (InterruptedException interrupt) {
      caller.interrupt();
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for the store", interrupt);
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failure.getCause());
    }
  }

  private static <T> void run(Supplier<T> call, CompletableFuture<T> result) {
    try {
      result.complete(call.get());
    } catch (Throwable failure) {
      result.completeExceptionally(failure);
    }
  }
}
