package dev.tidemark.foundationdb.internal;

import dev.tidemark.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes that their own transaction is not to read: they reach it when it commits. Only then does
 * the store refuse what is too large, as a cluster's client would.
 */
final class UnseenWrites {
  // Guarded by this.
  private final List<Consumer<Transaction>> writes = new ArrayList<>();
  private long bytes;

  synchronized void add(int size, Consumer<Transaction> write) {
    writes.add(write);
    bytes += size;
  }

  synchronized long bytes() {
    return bytes;
  }

  void replay(Transaction tx) {
    List<Consumer<Transaction>> all;
    synchronized (this) {
      all = List.copyOf(writes);
    }
    all.forEach(write -> write.accept(tx));
  }
}
