package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.internal.delivery.AckDeque;
import dev.tidemark.changes.internal.delivery.Entry;
import dev.tidemark.changes.internal.delivery.PendingDelivery;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes of one partition on their way from its query to the program, as many at once as there is
 * room for. Used by the thread that takes the steps.
 */
final class Intake {
  /** What is noted together counts for the limit of all partitions only then. */
  private static final long TOGETHER_BYTES = 64 << 10;

  /**
   * How many times as much as may be in flight is remembered behind a change that is not
   * acknowledged, with all that is.
   */
  private static final int REMEMBERED_FACTOR = 100;

  private final Environment env;
  private final PartitionRow claimed;
  private final ReadState read;
  private final AckDeque deque;
  private final Overdue overdue;

  Intake(Environment env, PartitionRow claimed, ReadState read, AckDeque deque, Overdue overdue) {
    this.env = env;
    this.claimed = claimed;
    this.read = read;
    this.deque = deque;
    this.overdue = overdue;
  }

  /** Whether nothing more may be read before something is acknowledged. */
  boolean isFull() {
    int inFlight = deque.inFlight();
    if (inFlight == 0) {
      return false;
    }
    int most = env.options().inFlightPerPartition();
    return inFlight >= most
        || deque.size() >= (long) most * REMEMBERED_FACTOR
        || env.budget().isSpent();
  }

  /** Nothing yet; a rate counts each change before it is read, so that it lets one through. */
  Together begin() {
    return new Together(
        env.rate().isLimited() ? 1 : env.options().inFlightPerPartition() - deque.inFlight());
  }

  /** Changes that are noted and handed over at once. */
  final class Together {
    private final List<Entry> entries = new ArrayList<>();
    private final List<PendingDelivery> deliveries = new ArrayList<>();
    private final List<Entry> unwanted = new ArrayList<>(0);
    private final int most;
    private long bytesLeft = Math.min(env.budget().left(), TOGETHER_BYTES);

    private Together(int most) {
      this.most = most;
    }

    int size() {
      return entries.size();
    }

    boolean mayGrow() {
      return entries.size() < most && bytesLeft > 0;
    }

    /** Adds a change, unless it was read before. */
    void take(DataChange change, int bytes) {
      if (!read.take(change) || isOfTheGenerationBefore(change)) {
        env.counters().duplicates.increment();
        return;
      }
      Entry entry = new Entry(change, bytes, read.isLater());
      entries.add(entry);
      bytesLeft -= bytes;
      if (change.systemTransaction() && !env.options().systemTransactions()) {
        unwanted.add(entry);
        return;
      }
      PendingDelivery delivery = new PendingDelivery(change, claimed, deque, entry, env.failures());
      overdue.watch(entry, delivery);
      deliveries.add(delivery);
    }

    /**
     * Notes the changes and hands them over; whether there are any. They are noted first: what is
     * handed over may be acknowledged at once. The frontier follows last: an order over all
     * partitions releases whatever is before it.
     */
    boolean handOver() {
      if (!entries.isEmpty()) {
        env.counters().records.add(entries.size());
        deque.append(entries);
        if (!unwanted.isEmpty()) {
          deque.ack(unwanted);
        }
        if (!deliveries.isEmpty()) {
          env.outlet().add(deliveries);
        }
      }
      read.handedOver();
      return !entries.isEmpty();
    }
  }

  private boolean isOfTheGenerationBefore(DataChange change) {
    return env.run().row().startExclusive()
        && env.source().compare(change.position(), env.run().row().start()) <= 0;
  }
}
