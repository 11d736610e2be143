package dev.tidemark.partitions.internal.operations;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.partitions.internal.log.Staging;
import dev.tidemark.partitions.internal.members.NodeStates;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.routing.RoutingRows;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.NodeState;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tables of one cluster.
 *
 * @param keys all keys
 * @param nodes nodes
 * @param states what the manager does to nodes
 * @param routing ownership and routes
 * @param operations operations and locks
 * @param staging what servers have staged
 */
public record ClusterRows(
    PartitionKeys keys,
    NodeTable nodes,
    NodeStates states,
    RoutingRows routing,
    OperationTable operations,
    Staging staging) {
  /** The tables below these keys. */
  public static ClusterRows of(PartitionKeys keys) {
    return new ClusterRows(
        keys,
        new NodeTable(),
        new NodeStates(),
        new RoutingRows(keys),
        new OperationTable(),
        new Staging(keys));
  }

  /** Who owns each partition that has keys. */
  public Map<String, OwnershipRow> owners(ReadTransaction tx) {
    return withoutRetired(ownerships(tx));
  }

  /** Those of these partitions that have keys. */
  public static Map<String, OwnershipRow> withoutRetired(Map<String, OwnershipRow> ownerships) {
    Map<String, OwnershipRow> owners = new TreeMap<>(ownerships);
    owners.values().removeIf(owner -> owner.phase() == Phase.RETIRED);
    return owners;
  }

  /** The ownership rows of all partitions, also of those that were merged into others. */
  public Map<String, OwnershipRow> ownerships(ReadTransaction tx) {
    Map<String, OwnershipRow> all = new TreeMap<>();
    for (KeyValue row : tx.scan(keys.ownerships()).list()) {
      all.put(keys.ownedOf(row.key()), OwnershipRow.decode(row.value()));
    }
    return all;
  }

  /**
   * Whether the incarnation that owns a partition has ended, so that another may take it. A lease
   * that is over does not end one; only the manager's expiry, the node's own leaving or its next
   * start do.
   */
  public static boolean isGone(OwnershipRow owner, Optional<NodeRow> node) {
    return node.isEmpty()
        || node.get().incarnation() != owner.incarnation()
        || node.get().leaseUntil() == 0
        || node.get().state() == NodeState.FAILED;
  }

  /** Whether a node may be given partitions now. */
  public static boolean isPlaceable(NodeRow node, Instant now) {
    return node.state() == NodeState.ACTIVE && NodeTable.isAlive(node, now);
  }
}
