package dev.tidemark.partitions.internal.members;

import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.NodeState;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the leading manager does to nodes. Each change names the incarnation or the state that it
 * starts from, so that a node that came back meanwhile is not meant by it.
 */
public final class NodeStates {
  private final PartitionKeys keys;
  private final NodeTable table;

  /** The nodes of the cluster with these keys. */
  public NodeStates(PartitionKeys keys) {
    this.keys = keys;
    this.table = new NodeTable(keys);
  }

  /** Says whether nodes that nobody registered are let in, and failed ones may return. */
  public void setAdmission(Transaction tx, boolean open) {
    byte[] row = new CounterRow(open ? NodeTable.OPEN : NodeTable.CLOSED).encode();
    if (!Arrays.equals(tx.get(keys.admission()).orElse(null), row)) {
      tx.set(keys.admission(), row);
    }
  }

  /** Registers a node that has not run yet. */
  public NodeRow add(Transaction tx, String node, String address) {
    if (table.find(tx, node).isPresent()) {
      throw new PartitionException(Reason.REFUSED, "Node %s is registered already".formatted(node));
    }
    NodeRow row = new NodeRow(0, address, NodeState.WAITING, "", 0);
    tx.set(keys.node(node), row.encode());
    return row;
  }

  /** Forgets a node that does not run. */
  public NodeRow remove(Transaction tx, String node, Instant now) {
    NodeRow row = require(tx, node);
    boolean mayGo = row.state() == NodeState.WAITING || row.state() == NodeState.FAILED;
    if (!mayGo || NodeTable.isAlive(row, now)) {
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s is %s%s; only one that is waiting or failed and does not run can be removed. Drain it first"
              .formatted(node, row.state(), NodeTable.isAlive(row, now) ? " and runs" : ""));
    }
    tx.clear(keys.node(node));
    return row;
  }

  /** Lets a failed node return. */
  public NodeRow reset(Transaction tx, String node) {
    NodeRow row = require(tx, node);
    if (row.state() != NodeState.FAILED) {
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s is %s; only a failed one can be reset".formatted(node, row.state()));
    }
    return put(tx, node, row.withState(NodeState.WAITING).withLeaseUntil(0));
  }

  /** Gives a waiting node, which the manager has reached, its part in the cluster. */
  public boolean admit(Transaction tx, String node, long incarnation, Instant now) {
    return change(tx, node, incarnation, NodeState.WAITING, NodeState.ACTIVE, now);
  }

  /** Begins to empty an active node. */
  public NodeRow drain(Transaction tx, String node) {
    NodeRow row = require(tx, node);
    if (row.state() != NodeState.ACTIVE && row.state() != NodeState.DRAINING) {
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s is %s; only an active one can be drained".formatted(node, row.state()));
    }
    return put(tx, node, row.withState(NodeState.DRAINING));
  }

  /** Ends a drain that did not empty the node: it may be given partitions again. */
  public void undrain(Transaction tx, String node) {
    table
        .find(tx, node)
        .filter(row -> row.state() == NodeState.DRAINING)
        .ifPresent(row -> put(tx, node, row.withState(NodeState.ACTIVE)));
  }

  /**
   * Ends an incarnation whose lease is over. An active node has failed; one that was draining, or
   * had not been let in, waits.
   *
   * @return whether it was ended
   */
  public boolean expire(Transaction tx, String node, long incarnation, Instant now) {
    NodeRow row = table.find(tx, node).orElse(null);
    if (row == null
        || row.incarnation() != incarnation
        || row.leaseUntil() == 0
        || row.state() == NodeState.FAILED
        || NodeTable.isAlive(row, now)) {
      return false;
    }
    NodeState after = row.state() == NodeState.DRAINING ? NodeState.WAITING : NodeState.FAILED;
    put(tx, node, row.withState(after).withLeaseUntil(0));
    return true;
  }

  private boolean change(
      Transaction tx, String node, long incarnation, NodeState from, NodeState to, Instant now) {
    Optional<NodeRow> row =
        table
            .find(tx, node)
            .filter(found -> found.incarnation() == incarnation && found.state() == from)
            .filter(found -> NodeTable.isAlive(found, now));
    row.ifPresent(found -> put(tx, node, found.withState(to)));
    return row.isPresent();
  }

  private NodeRow put(Transaction tx, String node, NodeRow row) {
    tx.set(keys.node(node), row.encode());
    return row;
  }

  private NodeRow require(Transaction tx, String node) {
    return table
        .find(tx, node)
        .orElseThrow(() -> new PartitionException(Reason.NOT_FOUND, "There is no node " + node));
  }
}
