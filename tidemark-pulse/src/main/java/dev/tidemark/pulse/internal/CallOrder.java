package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Transaction;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Numbers the events that one transaction adds, in the order of the calls.
 *
 * <p>One for the whole process: two handles on the same stream, be they of different {@code Pulse}
 * instances, must not give two events of a transaction the same number. A transaction that nobody
 * holds any more is forgotten.
 */
final class CallOrder {
  private static final int NUMBERS = 1 << 16;

  // Guarded by itself. Transactions are compared by identity: none of ours defines equals.
  private static final Map<Transaction, Integer> NEXT = new WeakHashMap<>();

  private CallOrder() {}

  /**
   * The number of the next event of {@code tx}.
   *
   * @throws IllegalStateException if the transaction has used all of them
   */
  static int next(Transaction tx) {
    synchronized (NEXT) {
      int number = NEXT.getOrDefault(tx, 0);
      if (number == NUMBERS) {
        throw new IllegalStateException(
            "One transaction adds at most %,d events; split the work".formatted(NUMBERS));
      }
      NEXT.put(tx, number + 1);
      return number;
    }
  }
}
