package dev.tidemark.partitions;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.client.OperatorCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Operates a cluster: shows and changes its nodes, partitions, operations and policy.
 *
 * <p>Calls go to the manager that leads, wherever that is. An operation belongs to the cluster, not
 * to the call: it goes on if this client ends, and a call that lost its manager waits for the same
 * operation with the next one.
 */
public final class PartitionOperator implements AutoCloseable {
  private final OperatorCalls calls;

  private PartitionOperator(OperatorCalls calls) {
    this.calls = calls;
  }

  /**
   * An operator of the cluster with these managers. Each of its methods throws {@link
   * dev.tidemark.kv.UnavailableException} if none of them leads within {@code timeout}, and a
   * {@link PartitionException} if the one that leads refuses.
   *
   * @param timeout how long to look for a manager that answers and leads
   */
  public static PartitionOperator connect(
      List<String> managers, ChannelOptions channels, Duration timeout) {
    return new PartitionOperator(new OperatorCalls(managers, channels, timeout));
  }

  /** All nodes. */
  public List<ClusterMember> members() {
    return calls.members();
  }

  /** The routing table. */
  public RoutingTable routing() {
    return calls.routing();
  }

  /**
   * What partitions did lately, of all nodes or one. A node reports with each beat of its lease; a
   * node without a report is among {@link #silentNodes} instead.
   *
   * @throws PartitionException NOT_FOUND if there is no such node
   */
  public List<PartitionLoad> statistics(Optional<String> node) {
    return calls.statistics(node);
  }

  /**
   * Nodes that run and have told the leading manager no statistics within one lease: it has just
   * begun to lead, or they cannot reach it. Policies leave their partitions alone.
   */
  public List<String> silentNodes() {
    return List.copyOf(calls.silentNodes());
  }

  /** Splits a partition at {@code key}, or where its actor or its keys say; waits for the end. */
  public PartitionOperation split(String partition, Optional<Key> key, boolean force) {
    return calls.split(partition, key, force);
  }

  /** Merges two neighbours of one node; waits for the end. */
  public PartitionOperation merge(String lower, String upper, boolean force) {
    return calls.merge(lower, upper, force);
  }

  /** Moves a partition to an active node; waits for the end. */
  public PartitionOperation migrate(String partition, String node, boolean force) {
    return calls.migrate(partition, node, force);
  }

  /** Moves everything away from a node; waits for the end. */
  public PartitionOperation drain(String node) {
    return calls.drain(node);
  }

  /** Moves a partition whose node is gone, to {@code node} or the least loaded one. */
  public PartitionOperation failover(String partition, Optional<String> node) {
    return calls.failover(partition, node);
  }

  /**
   * Gives an actor type its first partition, if it has none, on a node that has the type.
   *
   * @throws PartitionException NOT_FOUND if no active node has it; BUSY if no node is active or one
   *     does not answer, so that it is worth another try
   */
  public void ensureType(String type) {
    calls.ensureType(type);
  }

  /** The latest operations, those under way only if {@code running}. */
  public List<PartitionOperation> operations(boolean running) {
    return calls.operations(running);
  }

  /** One operation. */
  public PartitionOperation operation(String id) {
    return calls.operation(id);
  }

  /** Ends an operation that has not taken effect. */
  public PartitionOperation cancel(String id) {
    return calls.cancel(id);
  }

  /**
   * Replaces the policy.
   *
   * @throws PartitionException INVALID if the text is no policy; the previous one stays
   */
  public void applyPolicy(String yaml) {
    calls.applyPolicy(yaml);
  }

  /** The policy that was applied, if one was. */
  public Optional<String> policy() {
    return calls.policy();
  }

  /** Goes back to the policy that the managers were started with. */
  public void clearPolicy() {
    calls.clearPolicy();
  }

  /** Registers a node, for a cluster that lets only registered ones in. */
  public void addNode(String node, String address) {
    calls.addNode(node, address);
  }

  /** Forgets a node that does not run. */
  public void removeNode(String node) {
    calls.removeNode(node);
  }

  /** Lets a failed node return. */
  public void resetNode(String node) {
    calls.resetNode(node);
  }

  /**
   * What is known of a partition.
   *
   * @param route where it is
   * @param phase what its owner may do
   * @param operation the operation at work on it
   * @param reasons why the policy leaves it alone, or does not
   */
  public record Explanation(
      Route route, String phase, Optional<String> operation, List<String> reasons) {}

  /** Where a partition is, and why the policy leaves it alone. */
  public Explanation explain(String partition) {
    return calls.explain(partition);
  }

  /** Ends the connections. */
  @Override
  public void close() {
    calls.close();
  }
}
