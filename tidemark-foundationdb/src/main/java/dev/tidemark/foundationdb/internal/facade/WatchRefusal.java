package dev.tidemark.foundationdb.internal.facade;

import static java.util.Objects.requireNonNull;

import com.apple.foundationdb.FDBException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Tells the watches of a transaction why its commit was refused, if that has ended them. */
final class WatchRefusal {
  /** Absent while there are no watches. */
  private volatile @Nullable CompletableFuture<Optional<FDBException>> refusal;

  /** A watch is about to be made. */
  synchronized void expectWatches() {
    refusal = refusal == null ? new CompletableFuture<>() : refusal;
  }

  /** Tells watches the outcome of the commit; only the first one counts. */
  void tell(Optional<FDBException> refused) {
    CompletableFuture<Optional<FDBException>> waiting = refusal;
    if (waiting != null) {
      waiting.complete(refused);
    }
  }

  /** The reason of the refusal; waits for it while {@code committing}. */
  Optional<FDBException> of(boolean committing) {
    CompletableFuture<Optional<FDBException>> answer = requireNonNull(refusal);
    return committing ? answer.join() : answer.getNow(Optional.empty());
  }
}
