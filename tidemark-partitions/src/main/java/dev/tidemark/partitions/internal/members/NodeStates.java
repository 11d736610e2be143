package dev.tidemark.partitions.internal.members;

import dev.tidemark.coordination.Rows;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.NodeState;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the leading manager does to nodes. Each change names the incarnation or the state that it
 * starts from, so it does not apply to a node that came back meanwhile.
 */
public final class NodeStates {
  private final NodeTable table = new NodeTable();

  /** Sets whether nodes that nobody registered are admitted, and failed ones may return. */
  public void setAdmission(Rows rows, boolean open) {
    byte[] row = new CounterRow(open ? NodeTable.OPEN : NodeTable.CLOSED).encode();
    if (!Arrays.equals(rows.get(ControlKeys.ADMISSION).orElse(null), row)) {
      rows.set(ControlKeys.ADMISSION, row);
    }
  }

  /** Registers a node that has not run yet. */
  public NodeRow add(Rows rows, String node, String address) {
    if (table.find(rows, node).isPresent()) {
      throw new PartitionException(Reason.REFUSED, "Node %s is registered already".formatted(node));
    }
    NodeRow row = new NodeRow(0, address, NodeState.WAITING, "", 0);
    rows.set(ControlKeys.node(node), row.encode());
    return row;
  }

  /** Forgets a node that does not run. */
  public NodeRow remove(Rows rows, String node, Instant now) {
    NodeRow row = require(rows, node);
    boolean mayGo = row.state() == NodeState.WAITING || row.state() == NodeState.FAILED;
    if (!mayGo || NodeTable.isAlive(row, now)) {
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s is %s%s; only one that is waiting or failed and does not run can be removed. Drain it first"
              .formatted(node, row.state(), NodeTable.isAlive(row, now) ? " and runs" : ""));
    }
    rows.clear(ControlKeys.node(node));
    return row;
  }

  /** Lets a failed node return. */
  public NodeRow reset(Rows rows, String node) {
    NodeRow row = require(rows, node);
    if (row.state() != NodeState.FAILED) {
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s is %s; only a failed one can be reset".formatted(node, row.state()));
    }
    return put(rows, node, row.withState(NodeState.WAITING).withLeaseUntil(0));
  }

  /** Admits a waiting node, which the manager has reached, to the cluster. */
  public boolean admit(Rows rows, String node, long incarnation, Instant now) {
    return change(rows, node, incarnation, NodeState.WAITING, NodeState.ACTIVE, now);
  }

  /** Begins to empty an active node. */
  public NodeRow drain(Rows rows, String node) {
    NodeRow row = require(rows, node);
    if (row.state() != NodeState.ACTIVE && row.state() != NodeState.DRAINING) {
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s is %s; only an active one can be drained".formatted(node, row.state()));
    }
    return put(rows, node, row.withState(NodeState.DRAINING));
  }

  /** Ends a drain that did not empty the node: it may be given partitions again. */
  public void undrain(Rows rows, String node) {
    table
        .find(rows, node)
        .filter(row -> row.state() == NodeState.DRAINING)
        .ifPresent(row -> put(rows, node, row.withState(NodeState.ACTIVE)));
  }

  /**
   * Ends an incarnation whose lease is over. A node that was draining waits; any other has failed,
   * also one that died before it was let in.
   *
   * @return whether it was ended
   */
  public boolean expire(Rows rows, String node, long incarnation, Instant now) {
    NodeRow row = table.find(rows, node).orElse(null);
    if (row == null
        || row.incarnation() != incarnation
        || row.leaseUntil() == 0
        || row.state() == NodeState.FAILED
        || NodeTable.isAlive(row, now)) {
      return false;
    }
    NodeState after = row.state() == NodeState.DRAINING ? NodeState.WAITING : NodeState.FAILED;
    put(rows, node, row.withState(after).withLeaseUntil(0));
    return true;
  }

  private boolean change(
      Rows rows, String node, long incarnation, NodeState from, NodeState to, Instant now) {
    Optional<NodeRow> row =
        table
            .find(rows, node)
            .filter(found -> found.incarnation() == incarnation && found.state() == from)
            .filter(found -> NodeTable.isAlive(found, now));
    row.ifPresent(found -> put(rows, node, found.withState(to)));
    return row.isPresent();
  }

  private NodeRow put(Rows rows, String node, NodeRow row) {
    rows.set(ControlKeys.node(node), row.encode());
    return row;
  }

  private NodeRow require(Rows rows, String node) {
    return table
        .find(rows, node)
        .orElseThrow(() -> new PartitionException(Reason.NOT_FOUND, "There is no node " + node));
  }
}
