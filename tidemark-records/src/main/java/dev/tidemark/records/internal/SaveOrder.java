package dev.tidemark.records.internal;

import dev.tidemark.kv.Transaction;
import java.util.Map;
import java.util.WeakHashMap;

/** Numbers the saves of each transaction, so that records of one commit have an order too. */
final class SaveOrder {
  private static final int LAST = 0xffff;

  // Guarded by this. A transaction that is no longer used is forgotten by itself.
  private final Map<Transaction, Integer> counts = new WeakHashMap<>();

  synchronized int next(Transaction tx) {
    int order = counts.merge(tx, 0, (last, first) -> last + 1);
    if (order > LAST) {
      throw new IllegalStateException(
          "A transaction saves at most %,d records that keep versions".formatted(LAST + 1));
    }
    return order;
  }
}
