package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All changes in commit order: each waits until all partitions have been read past it. With {@code
 * wholeTransactions}, changes of a transaction wait for each other too.
 */
final class OrderedOutlet implements Outlet {
  private final Lane.Setting setting;
  private final Comparator<Position> order;
  private final boolean wholeTransactions;
  private final AckUnits units;
  private final Lane lane;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final PriorityQueue<PendingDelivery> waiting;
  private final List<PendingDelivery> transaction = new ArrayList<>();
  private boolean broken;

  /**
   * An empty outlet.
   *
   * @param cut held while the changes of a transaction are acknowledged
   */
  OrderedOutlet(
      Lane.Setting setting,
      Comparator<Position> order,
      boolean wholeTransactions,
      int most,
      ReentrantLock cut) {
    this.setting = setting;
    this.order = order;
    this.wholeTransactions = wholeTransactions;
    this.units = new AckUnits(cut);
    this.lane = new Lane(setting, 1, wholeTransactions ? 1 : most);
    this.waiting =
        new PriorityQueue<>(
            Comparator.comparing(PendingDelivery::change, commitOrder(order))
                .thenComparing(PendingDelivery::token));
  }

  private static Comparator<DataChange> commitOrder(Comparator<Position> order) {
    return Comparator.comparing(DataChange::position, order)
        .thenComparing(DataChange::serverTransactionId)
        .thenComparing(DataChange::recordSequence);
  }

  @Override
  public void add(PendingDelivery delivery) {
    add(List.of(delivery));
  }

  @Override
  public void add(List<PendingDelivery> deliveries) {
    lock.lock();
    try {
      if (!broken) {
        waiting.addAll(deliveries);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void again(PendingDelivery delivery) {
    lane.add(List.of(delivery));
  }

  @Override
  public void release(Frontier readWatermark) {
    try {
      lock.lock();
      try {
        while (!waiting.isEmpty()
            && readWatermark.covers(waiting.peek().change().position(), order)) {
          release(waiting.remove());
        }
      } finally {
        lock.unlock();
      }
    } catch (ChangeReaderException incomplete) {
      setting.gate().shut();
      setting.failures().accept(incomplete);
    }
  }

  private void release(PendingDelivery delivery) {
    if (!wholeTransactions) {
      delivery.deque().release(delivery.entry());
      lane.add(List.of(delivery));
      return;
    }
    if (!transaction.isEmpty() && !isSame(transaction.getFirst(), delivery)) {
      throw incomplete(transaction.getFirst().change());
    }
    transaction.add(delivery);
    if (transaction.size() == delivery.change().recordsInTransaction()) {
      List<PendingDelivery> whole = List.copyOf(transaction);
      transaction.clear();
      units.add(whole);
      whole.forEach(each -> each.deque().release(each.entry()));
      lane.add(whole);
    }
  }

  private static boolean isSame(PendingDelivery first, PendingDelivery second) {
    return first.change().serverTransactionId().equals(second.change().serverTransactionId());
  }

  /**
   * Everything up to the next transaction has been read, so the records that this one lacks will
   * never come.
   */
  private ChangeReaderException incomplete(DataChange change) {
    return new ChangeReaderException(
        "Transaction %s at %s has %d records, but only %d were read; the source lost changes"
            .formatted(
                change.serverTransactionId(),
                change.commitTimestamp(),
                change.recordsInTransaction(),
                transaction.size()),
        null);
  }

  @Override
  public void lost() {
    lock.lock();
    try {
      broken = true;
      waiting.clear();
      transaction.clear();
    } finally {
      lock.unlock();
    }
    units.clear();
    lane.clear();
  }

  @Override
  public void reset() {
    lost();
    lock.lock();
    try {
      broken = false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void wake() {
    lane.wake();
  }
}
