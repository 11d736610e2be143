package dev.tidemark.partitions.internal.routing;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.partitions.RoutingTable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The newest routing table of this process. It follows the routing version in the control rows;
 * tables between two looks are left out, and an older one never follows a newer one.
 */
public final class RoutingWatch implements AutoCloseable {
  private final RowStore store;
  private final RoutingRows rows;
  private final Consumer<RoutingTable> listener;
  private final ReentrantLock looking = new ReentrantLock();
  private final AtomicReference<RoutingTable> latest = new AtomicReference<>(RoutingTable.EMPTY);
  private final RowStore.Listening listening;

  /**
   * Follows the table in these control rows.
   *
   * @param listener gets every newer table, one at a time; hands over and returns at once
   */
  public RoutingWatch(RowStore store, RoutingRows rows, Consumer<RoutingTable> listener) {
    this.store = store;
    this.rows = rows;
    this.listener = listener;
    this.listening = store.onWake(RoutingRows.CHANNEL, hint -> look());
  }

  /** The newest table that this process has seen; the empty one before the first. */
  public RoutingTable latest() {
    return latest.get();
  }

  private void look() {
    looking.lock();
    try {
      long stored = store.read(RoutingRows::version);
      if (stored > latest.get().version()) {
        RoutingTable table = store.read(rows::load);
        latest.set(table);
        listener.accept(table);
      }
    } finally {
      looking.unlock();
    }
  }

  /** Follows no more. */
  @Override
  public void close() {
    listening.close();
  }
}
