package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes that their own transaction is not to read: they reach it when it commits. Only then does
 * the store refuse a transaction that is too large, as a cluster's client would.
 */
final class UnseenWrites {
  // Guarded by this.
  private final List<Consumer<Transaction>> writes = new ArrayList<>();
  private long bytes;
  private boolean replayed;

  /** Refuses what comes too late to be committed. */
  synchronized void add(int size, Consumer<Transaction> write) {
    if (replayed) {
      throw new FDBException(
          "The transaction is being committed, without this write; create a new one",
          FdbErrors.USED_DURING_COMMIT);
    }
    writes.add(write);
    bytes += size;
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Makes all writes in {@code tx}, and accepts no more. */
  void replay(Transaction tx) {
    List<Consumer<Transaction>> all;
    synchronized (this) {
      replayed = true;
      all = List.copyOf(writes);
    }
    all.forEach(write -> write.accept(tx));
  }
}
