package dev.tidemark.foundationdb.internal.cluster;

import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.UnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for answers of the cluster: interruptibly for reads, to the end for commits, and never
 * longer than {@code timeout}. It waits in real time, because it waits for another machine.
 */
record Replies(Duration timeout) {
  /** Waits for the result of a read. */
  <T extends @Nullable Object> T await(CompletableFuture<T> reply) {
    try {
      return reply.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      reply.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while waiting for the cluster", interrupt);
    } catch (ExecutionException failure) {
      throw unwrapped(failure);
    } catch (TimeoutException late) {
      reply.cancel(true);
      throw UnavailableException.unanswered(
          "The cluster has not answered a read for %s (FoundationDbOptions.responseTimeout). Look at"
                  .formatted(timeout)
              + " its status, and whether the cluster file names its coordinators",
          late);
    }
  }

  /**
   * Waits for the end of a commit. It is on its way and cannot be called back, so that an interrupt
   * is kept for later.
   */
  <T extends @Nullable Object> T awaitCommit(CompletableFuture<T> reply) {
    try {
      // Unlike get, join leaves the interrupt flag alone.
      return reply.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof TimeoutException) {
        throw new CommitUnknownException(
            "The cluster has not answered a commit for %s (FoundationDbOptions.responseTimeout)"
                .formatted(timeout),
            failure);
      }
      throw unwrapped(failure);
    }
  }

  private static RuntimeException unwrapped(Throwable failure) {
    Throwable cause = FdbErrors.unwrap(failure);
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException runtime ? runtime : new CompletionException(cause);
  }
}
