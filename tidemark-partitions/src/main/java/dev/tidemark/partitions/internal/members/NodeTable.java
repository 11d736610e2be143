package dev.tidemark.partitions.internal.members;

import dev.tidemark.coordination.Rows;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a server does to its own node row. A server whose row was expired, or taken by a later start
 * of the same node, learns this from {@link #renew} and has to join again.
 */
public final class NodeTable {
  static final long OPEN = 1;
  static final long CLOSED = 0;

  /** All nodes by id. */
  public Map<String, NodeRow> all(Rows rows) {
    Map<String, NodeRow> nodes = new TreeMap<>();
    for (Rows.Row row : rows.scan(ControlKeys.NODES, Integer.MAX_VALUE)) {
      nodes.put(ControlKeys.nameOf(row.key()), NodeRow.decode(row.value()));
    }
    return nodes;
  }

  /** The node with this id. */
  public Optional<NodeRow> find(Rows rows, String node) {
    return rows.get(ControlKeys.node(node)).map(NodeRow::decode);
  }

  /** Whether a start of the node runs, as far as the store knows at {@code now}. */
  public static boolean isAlive(NodeRow row, Instant now) {
    return row.leaseUntil() >= micros(now);
  }

  /**
   * Begins a new incarnation of the node. It waits until the manager has reached it and lets it in.
   *
   * @param address where this start of the node is served
   * @param generation a label of the version that it runs
   * @param lease how long the node counts as alive after this and each renewal
   * @throws PartitionException BUSY if no manager has ever led, so that nobody knows who may join;
   *     REFUSED if the node is not registered, has failed, or another start of it still runs
   */
  public NodeRow join(
      Rows rows, String node, String address, String generation, Instant now, Duration lease) {
    boolean open = isOpen(rows);
    Optional<NodeRow> known = find(rows, node);
    if (known.isEmpty() && !open) {
      throw refused(node, "is not registered; register it with: ctl node add " + node);
    }
    if (known.isPresent()) {
      checkMayReturn(node, known.get(), now, open);
    }
    NodeRow joined =
        new NodeRow(
            known.map(NodeRow::incarnation).orElse(0L) + 1,
            address,
            NodeState.WAITING,
            generation,
            micros(now.plus(lease)));
    rows.set(ControlKeys.node(node), joined.encode());
    return joined;
  }

  private boolean isOpen(Rows rows) {
    return rows.get(ControlKeys.ADMISSION)
        .map(row -> CounterRow.decode(row).value() == OPEN)
        .orElseThrow(
            () ->
                new PartitionException(
                    Reason.BUSY,
                    "No manager has led this cluster yet, so nobody may join; start one"));
  }

  private static void checkMayReturn(String node, NodeRow row, Instant now, boolean open) {
    if (isAlive(row, now)) {
      throw refused(
          node,
          "runs already, at %s; end that process, or give this one another name"
              .formatted(row.address()));
    }
    if (row.state() == NodeState.FAILED && !open) {
      throw refused(node, "has failed; let it return with: ctl node reset " + node);
    }
  }

  private static PartitionException refused(String node, String why) {
    return new PartitionException(Reason.REFUSED, "Node " + node + " " + why);
  }

  /** Renews the lease; false if this incarnation was expired or replaced. */
  public boolean renew(Rows rows, String node, long incarnation, Instant now, Duration lease) {
    Optional<NodeRow> row = find(rows, node).filter(found -> isCurrent(found, incarnation));
    row.ifPresent(
        found ->
            rows.set(
                ControlKeys.node(node), found.withLeaseUntil(micros(now.plus(lease))).encode()));
    return row.isPresent();
  }

  /** Ends this incarnation in good order: its node waits, and its partitions may be taken over. */
  public void leave(Rows rows, String node, long incarnation) {
    find(rows, node)
        .filter(found -> isCurrent(found, incarnation))
        .ifPresent(
            found ->
                rows.set(
                    ControlKeys.node(node),
                    found.withState(NodeState.WAITING).withLeaseUntil(0).encode()));
  }

  private static boolean isCurrent(NodeRow row, long incarnation) {
    return row.incarnation() == incarnation
        && row.state() != NodeState.FAILED
        && row.leaseUntil() > 0;
  }

  static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
