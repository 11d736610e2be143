package dev.tidemark.partitions.internal.routing;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.partitions.internal.store.RouteRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads tables from rows, and writes the routes that follow from ownership rows. Ownership is
 * always in our store; routes are control rows.
 */
public final class RoutingRows {
  /** The channel that is woken when the table has a new version. */
  static final String CHANNEL = "routing";

  private final PartitionKeys keys;
  private final NodeTable nodes = new NodeTable();

  /** The routes of the cluster with these keys. */
  public RoutingRows(PartitionKeys keys) {
    this.keys = keys;
  }

  /** The version of the stored table; 0 before the first. */
  public static long version(Rows rows) {
    return rows.get(ControlKeys.ROUTING_VERSION)
        .map(row -> CounterRow.decode(row).value())
        .orElse(0L);
  }

  /** The stored table. */
  public RoutingTable load(Rows rows) {
    Map<String, NodeRow> known = nodes.all(rows);
    List<Route> routes = new ArrayList<>();
    for (Rows.Row row : rows.scan(ControlKeys.ROUTES, Integer.MAX_VALUE)) {
      RouteRow route = RouteRow.decode(row.value());
      routes.add(
          new Route(
              route.partition(),
              ControlKeys.nameOf(row.key()),
              new PartitionRange(ControlKeys.routedStart(row.key()), route.end()),
              route.node(),
              Optional.ofNullable(known.get(route.node())).map(NodeRow::address).orElse(""),
              route.epoch()));
    }
    return RoutingTable.of(version(rows), routes);
  }

  /** Whether an actor type has partitions. */
  public boolean hasType(Rows rows, String type) {
    return !rows.scan(ControlKeys.routes(type), 1).isEmpty();
  }

  /** Who owns a partition. */
  public Optional<OwnershipRow> owner(ReadTransaction tx, String partition) {
    return tx.get(keys.ownership(partition)).map(OwnershipRow::decode);
  }

  /** Writes who owns a partition. The route that follows is written by {@link #route}. */
  public void own(Transaction tx, String partition, OwnershipRow owner) {
    tx.set(keys.ownership(partition), owner.encode());
  }

  /** Writes the route that follows from an ownership row; none of a partition that has ended. */
  public void route(Rows rows, String partition, OwnershipRow owner) {
    if (owner.phase() == Phase.RETIRED) {
      rows.clear(ControlKeys.route(owner.type(), owner.range().start()));
    } else {
      RouteRow route = new RouteRow(partition, owner.range().end(), owner.node(), owner.epoch());
      rows.set(ControlKeys.route(owner.type(), owner.range().start()), route.encode());
    }
  }

  /** Gives the table its next version. Every flip calls this once. */
  public void bumpVersion(Rows rows) {
    rows.set(ControlKeys.ROUTING_VERSION, new CounterRow(version(rows) + 1).encode());
    rows.wake(CHANNEL, RowStore.NO_HINT);
  }
}
