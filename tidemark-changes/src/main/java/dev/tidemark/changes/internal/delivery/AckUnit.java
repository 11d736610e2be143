package dev.tidemark.changes.internal.delivery;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Changes of one transaction, in several partitions, that are acknowledged together: positions that
 * are stored while {@code cut} is held never lie within a transaction.
 */
final class AckUnit {
  private final List<PendingDelivery> deliveries;
  private final ReentrantLock cut;

  // Guarded by cut.
  private final Set<Entry> open = new HashSet<>();

  AckUnit(List<PendingDelivery> deliveries, ReentrantLock cut) {
    this.deliveries = deliveries;
    this.cut = cut;
    deliveries.forEach(each -> open.add(each.entry()));
    deliveries.forEach(each -> each.joins(this));
  }

  void ack(PendingDelivery delivery) {
    cut.lock();
    try {
      if (open.remove(delivery.entry()) && open.isEmpty()) {
        deliveries.forEach(each -> each.deque().ack(List.of(each.entry())));
      }
    } finally {
      cut.unlock();
    }
  }
}
