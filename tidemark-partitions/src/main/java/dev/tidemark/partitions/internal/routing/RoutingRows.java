package dev.tidemark.partitions.internal.routing;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.RouteRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads tables from rows, and writes routes beside the ownership rows that they follow from. */
public final class RoutingRows {
  private final PartitionKeys keys;
  private final NodeTable nodes;

  /** The routes of the cluster with these keys. */
  public RoutingRows(PartitionKeys keys) {
    this.keys = keys;
    this.nodes = new NodeTable(keys);
  }

  /** The version of the stored table; 0 before the first. */
  public long version(ReadTransaction tx) {
    return tx.get(keys.routingVersion()).map(row -> CounterRow.decode(row).value()).orElse(0L);
  }

  /** The stored table. */
  public RoutingTable load(ReadTransaction tx) {
    Map<String, NodeRow> known = nodes.all(tx);
    List<Route> routes = new ArrayList<>();
    for (KeyValue row : tx.scan(keys.routes()).list()) {
      RouteRow route = RouteRow.decode(row.value());
      routes.add(
          new Route(
              route.partition(),
              keys.routedType(row.key()),
              new PartitionRange(keys.routedStart(row.key()), route.end()),
              route.node(),
              Optional.ofNullable(known.get(route.node())).map(NodeRow::address).orElse(""),
              route.epoch()));
    }
    return RoutingTable.of(version(tx), routes);
  }

  /** Whether an actor type has partitions. */
  public boolean hasType(ReadTransaction tx, String type) {
    return tx.scan(keys.routes(type)).limit(1).iterator().hasNext();
  }

  /** Who owns a partition. */
  public Optional<OwnershipRow> owner(ReadTransaction tx, String partition) {
    return tx.get(keys.ownership(partition)).map(OwnershipRow::decode);
  }

  /** Writes who owns a partition, and the route that follows. */
  public void put(Transaction tx, String partition, OwnershipRow owner) {
    tx.set(keys.ownership(partition), owner.encode());
    RouteRow route = new RouteRow(partition, owner.range().end(), owner.node(), owner.epoch());
    tx.set(keys.route(owner.type(), owner.range().start()), route.encode());
  }

  /** Ends a partition: its ownership stays as a tombstone, its route goes. */
  public void retire(Transaction tx, String partition, OwnershipRow tombstone) {
    tx.set(keys.ownership(partition), tombstone.encode());
    tx.clear(keys.route(tombstone.type(), tombstone.range().start()));
  }

  /** Gives the table its next version. Every flip calls this once. */
  public void bumpVersion(Transaction tx) {
    Key key = keys.routingVersion();
    tx.set(key, new CounterRow(version(tx) + 1).encode());
  }
}
