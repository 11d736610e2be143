package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.ChangeBatch;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Delivery;
import dev.tidemark.changes.ResumePoint;
import java.util.ArrayList;
import java.util.List;

/** Deliveries that the program gets together. */
final class PendingBatch implements ChangeBatch {
  private final List<PendingDelivery> deliveries;

  PendingBatch(List<PendingDelivery> deliveries) {
    this.deliveries = List.copyOf(deliveries);
  }

  @Override
  public List<Delivery> deliveries() {
    return List.copyOf(deliveries);
  }

  @Override
  public List<DataChange> changes() {
    List<DataChange> changes = new ArrayList<>(deliveries.size());
    for (PendingDelivery each : deliveries) {
      changes.add(each.change());
    }
    return changes;
  }

  @Override
  public String token() {
    return deliveries.getFirst().token();
  }

  @Override
  public long epoch() {
    return deliveries.getFirst().claimed().epoch();
  }

  @Override
  public ResumePoint resume() {
    if (!isOfOnePartition()) {
      throw new IllegalStateException(
          "The batch has changes of several partitions and no single position; use order mode"
              + " PARTITION for a sink that keeps positions");
    }
    PendingDelivery last = deliveries.getLast();
    return last.deque().resumeAfter(last.entry());
  }

  private boolean isOfOnePartition() {
    AckDeque first = deliveries.getFirst().deque();
    for (PendingDelivery each : deliveries) {
      if (each.deque() != first) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void ack() {
    if (!deliveries.getFirst().isPartOfUnit() && isOfOnePartition()) {
      List<Entry> entries = new ArrayList<>(deliveries.size());
      for (PendingDelivery each : deliveries) {
        entries.add(each.entry());
      }
      deliveries.getFirst().deque().ack(entries);
    } else {
      deliveries.forEach(PendingDelivery::ack);
    }
  }
}
