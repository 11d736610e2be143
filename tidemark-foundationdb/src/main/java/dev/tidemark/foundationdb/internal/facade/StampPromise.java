package dev.tidemark.foundationdb.internal.facade;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The versionstamp of a transaction, for calls before its commit. */
final class StampPromise {
  // Guarded by this.
  private @Nullable CompletableFuture<byte[]> asked;
  private @Nullable Supplier<byte[]> kept;

  synchronized CompletableFuture<byte[]> ask() {
    Supplier<byte[]> known = kept;
    CompletableFuture<byte[]> future = asked;
    if (future == null) {
      future = known == null ? new CompletableFuture<>() : Futures.now(known);
      asked = future;
    }
    return future;
  }

  /**
   * Completes the promise with what {@code answer} returns or throws. The futures are completed on
   * another thread: their users may wait for this commit.
   */
  void keep(Executor executor, Supplier<byte[]> answer) {
    CompletableFuture<byte[]> promised;
    synchronized (this) {
      kept = answer;
      promised = asked;
    }
    if (promised != null) {
      Thread.startVirtualThread(() -> Futures.settle(promised, executor, answer));
    }
  }
}
