package dev.tidemark.changes.internal.delivery;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Changes of one transaction, in several partitions, that are acknowledged together. */
final class AckUnit {
  private final List<PendingDelivery> deliveries;
  private final AckUnits units;

  // Guarded by the cut of the units.
  private final Set<Entry> open = new HashSet<>();

  AckUnit(List<PendingDelivery> deliveries, AckUnits units) {
    this.deliveries = deliveries;
    this.units = units;
    deliveries.forEach(each -> open.add(each.entry()));
    deliveries.forEach(each -> each.joins(this));
  }

  void ack(PendingDelivery delivery) {
    units.ack(this, delivery);
  }

  /** Notes that the program acknowledged {@code delivery}. */
  void mark(PendingDelivery delivery) {
    open.remove(delivery.entry());
  }

  /** Whether the program acknowledged all of it. */
  boolean isDone() {
    return open.isEmpty();
  }

  /** Acknowledges its changes in their partitions. */
  void apply() {
    deliveries.forEach(each -> each.deque().ack(List.of(each.entry())));
  }
}
