package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A watch as a future. A virtual thread waits for it; the store bounds how many there are, and ends
 * them when it closes.
 */
final class WatchFuture {
  private static final Duration ROUND = Duration.ofHours(1);

  private WatchFuture() {}

  /**
   * A program ends the watch by cancelling its future, or by completing it in any other way. One
   * that ends with its transaction fails with what the commit was refused with, if it was.
   */
  static CompletableFuture<Void> of(
      Watch watch, Executor executor, Supplier<Optional<FDBException>> refusalOfTheCommit) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    var unused = future.whenComplete((changed, failure) -> watch.close());
    Thread.startVirtualThread(
        () -> Futures.settle(future, executor, () -> await(watch, refusalOfTheCommit)));
    return future;
  }

  private static @Nullable Void await(
      Watch watch, Supplier<Optional<FDBException>> refusalOfTheCommit) {
    try {
      boolean fired = false;
      while (!fired) {
        fired = watch.await(ROUND);
      }
      return null;
    } catch (TransactionClosedException ended) {
      throw refusalOfTheCommit.get().<RuntimeException>map(FdbErrors::again).orElse(ended);
    }
  }
}
