package dev.tidemark.partitions.internal.routing;

import dev.tidemark.coordination.KeyListening;
import dev.tidemark.kv.Database;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The newest routing table of this process. It follows the routing version in the store; tables
 * between two looks are left out, and an older one never follows a newer one.
 */
public final class RoutingWatch implements AutoCloseable {
  private final Database database;
  private final RoutingRows rows;
  private final Consumer<RoutingTable> listener;
  private final AtomicReference<RoutingTable> latest = new AtomicReference<>(RoutingTable.EMPTY);
  private final KeyListening listening;

  /**
   * Follows the cluster with these keys.
   *
   * @param listener gets every newer table, one at a time; hands over and returns at once
   */
  public RoutingWatch(
      Database database, PartitionKeys keys, String name, Consumer<RoutingTable> listener) {
    this.database = database;
    this.rows = new RoutingRows(keys);
    this.listener = listener;
    this.listening =
        KeyListening.start(database, keys.routingVersion(), "routing-" + name, this::look);
  }

  /** The newest table that this process has seen; the empty one before the first. */
  public RoutingTable latest() {
    return latest.get();
  }

  private void look() {
    long stored = database.read(rows::version);
    if (stored > latest.get().version()) {
      RoutingTable table = database.read(rows::load);
      latest.set(table);
      listener.accept(table);
    }
  }

  /** Follows no more. */
  @Override
  public void close() {
    listening.close();
  }
}
