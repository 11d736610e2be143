package dev.tidemark.foundationdb.internal;

import dev.tidemark.kv.Watch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A watch as a future. A virtual thread waits for it; the store bounds how many there are, and ends
 * them when it closes.
 */
final class WatchFuture extends CompletableFuture<Void> {
  private static final Duration ROUND = Duration.ofHours(1);

  private final Watch watch;

  private WatchFuture(Watch watch) {
    this.watch = watch;
  }

  static WatchFuture of(Watch watch, Executor executor) {
    WatchFuture future = new WatchFuture(watch);
    Thread.startVirtualThread(() -> Futures.settle(future, executor, future::await));
    return future;
  }

  private @Nullable Void await() {
    boolean fired = false;
    while (!fired) {
      fired = watch.await(ROUND);
    }
    return null;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    watch.close();
    return cancelled;
  }

  /** Dependent futures are plain ones: to cancel one of them does not end the watch. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
