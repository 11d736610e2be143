package dev.tidemark.changes.internal.delivery;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Transactions that were handed out, in commit order.
 *
 * <p>They are acknowledged in their partitions in that order, each as a whole, while {@code cut} is
 * held. So positions of all partitions that are taken under {@code cut} lie between the same two
 * transactions, and a restart never sees a part of one.
 */
final class AckUnits {
  private final ReentrantLock cut;

  // Guarded by cut.
  private final ArrayDeque<AckUnit> units = new ArrayDeque<>();

  AckUnits(ReentrantLock cut) {
    this.cut = cut;
  }

  /** Adds the next transaction. */
  void add(List<PendingDelivery> transaction) {
    cut.lock();
    try {
      units.addLast(new AckUnit(transaction, this));
    } finally {
      cut.unlock();
    }
  }

  void ack(AckUnit unit, PendingDelivery delivery) {
    cut.lock();
    try {
      unit.mark(delivery);
      while (!units.isEmpty() && units.peekFirst().isDone()) {
        units.removeFirst().apply();
      }
    } finally {
      cut.unlock();
    }
  }

  /** Drops all of them: they will be read again. */
  void clear() {
    cut.lock();
    try {
      units.clear();
    } finally {
      cut.unlock();
    }
  }
}
