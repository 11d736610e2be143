package dev.tidemark.partitions.internal.manager;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.operations.Hosts;
import dev.tidemark.partitions.internal.operations.OperationRequest;
import dev.tidemark.partitions.internal.operations.OperationRunner;
import dev.tidemark.partitions.internal.operations.TermWrites;
import dev.tidemark.partitions.internal.operations.Tombstones;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.NodeState;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Compares what the rows say with what runs, again and again, and starts what is missing: lets
 * nodes in, ends incarnations whose lease is over, gives each actor type its first partition, moves
 * partitions whose owner is gone, wakes those that should recover, and removes what is left of
 * those that were merged away. It compares states and does not follow events, so it misses nothing
 * that happened while no manager led.
 */
final class Reconciler {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  /** A partition whose owner is gone is moved however long it takes. */
  private static final Duration FAILOVER_DEADLINE = Duration.ofDays(1);

  private final TermWrites term;
  private final ClusterRows rows;
  private final Hosts hosts;
  private final OperationRunner runner;
  private final Tombstones tombstones;
  private final Supplier<Policy> policy;
  private final List<String> types;
  private final Duration nodeLease;
  private final long began;
  private final Map<String, Served> served = new ConcurrentHashMap<>();
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();

  /** What an incarnation of a node serves. */
  private record Served(long incarnation, Set<String> types) {}

  Reconciler(
      TermWrites term,
      ClusterRows rows,
      Hosts hosts,
      OperationRunner runner,
      Supplier<Policy> policy,
      List<String> types,
      Duration nodeLease) {
    this.term = term;
    this.rows = rows;
    this.hosts = hosts;
    this.runner = runner;
    this.tombstones = new Tombstones(term, rows);
    this.policy = policy;
    this.types = types;
    this.nodeLease = nodeLease;
    this.began = term.database().time().nanos();
  }

  /** One look. */
  void look() {
    Instant now = term.now();
    Map<String, NodeRow> nodes = term.read(rows.nodes()::all);
    Set<String> answering = answering(nodes, now);
    nodes.forEach(
        (node, row) -> {
          if (isComing(row, now)) {
            admit(node, row, answering.contains(node));
          } else if (hasWaitedOneLease() && row.leaseUntil() > 0 && !NodeTable.isAlive(row, now)) {
            expire(node, row);
          }
        });
    types.forEach(type -> quietly(() -> ensureConfigured(type)));
    lookAtOwners(now);
    runner.resumeAll();
  }

  /**
   * After an outage of the store all leases look over at once; the living have one lease, from the
   * first commit of this term, to renew theirs.
   */
  private boolean hasWaitedOneLease() {
    return term.database().time().nanos() - began > nodeLease.toNanos();
  }

  private static boolean isComing(NodeRow row, Instant now) {
    return row.state() == NodeState.WAITING && NodeTable.isAlive(row, now);
  }

  /** All are asked at a time: those that cannot be reached hold up the rest only once. */
  private Set<String> answering(Map<String, NodeRow> nodes, Instant now) {
    Set<String> answering = ConcurrentHashMap.newKeySet();
    List<Thread> asked = new ArrayList<>();
    nodes.forEach(
        (node, row) -> {
          if (isComing(row, now)) {
            asked.add(
                Thread.ofVirtual()
                    .name("partitions-ping-" + node)
                    .start(
                        () -> {
                          if (serves(node, row).isPresent()) {
                            answering.add(node);
                          }
                        }));
          }
        });
    for (Thread one : asked) {
      try {
        one.join();
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new InterruptedOperationException("Interrupted while nodes were asked", interrupt);
      }
    }
    return answering;
  }

  private void admit(String node, NodeRow row, boolean answers) {
    if (answers) {
      Instant now = term.now();
      if (term.write(tx -> rows.states().admit(tx, node, row.incarnation(), now))) {
        LOG.log(Level.INFO, "Node {0} is active at {1}", node, row.address());
      }
    } else {
      LOG.log(Level.DEBUG, "Node {0} does not answer at {1} yet", node, row.address());
    }
  }

  private void expire(String node, NodeRow row) {
    Instant now = term.now();
    if (term.write(tx -> rows.states().expire(tx, node, row.incarnation(), now))) {
      LOG.log(Level.WARNING, "The lease of node {0} at {1} is over", node, row.address());
    }
  }

  /** What a node serves, asked once for each of its incarnations; empty if it does not answer. */
  private Optional<Set<String>> serves(String node, NodeRow row) {
    Served known = served.get(node);
    if (known != null && known.incarnation() == row.incarnation()) {
      return Optional.of(known.types());
    }
    Optional<Set<String>> asked = hosts.types(node, row);
    asked.ifPresent(types -> served.put(node, new Served(row.incarnation(), types)));
    return asked;
  }

  /** Forgets every other node. */
  void keepOnly(Set<String> nodes) {
    served.keySet().retainAll(nodes);
  }

  /** A type that the manager was started with waits for a node that has it. This is logged once. */
  private void ensureConfigured(String type) {
    try {
      ensureType(type);
    } catch (PartitionException later) {
      if (later.reason() == Reason.NOT_FOUND && waiting.add(type)) {
        LOG.log(Level.WARNING, "{0} Its first partition waits for one.", later.getMessage());
      }
      throw later;
    }
    waiting.remove(type);
  }

  /**
   * Creates the first partition of a type on a node that has it, unless the type has partitions.
   *
   * @throws PartitionException NOT_FOUND if no active node has the type; BUSY if none is active, or
   *     the node ended meanwhile
   */
  void ensureType(String type) {
    if (term.read(control -> rows.routing().hasType(control, type))) {
      return;
    }
    Instant now = term.now();
    String node = nodeFor(type, now);
    String partition = runner.newName(type);
    boolean ensured;
    if (term.control().isJoined()) {
      ensured =
          term.store(
              (tx, control) ->
                  rows.routing().hasType(control, type)
                      || (own(tx, control, type, partition, node, now)
                          && route(tx, control, type)));
    } else {
      ensured =
          term.store((tx, control) -> own(tx, control, type, partition, node, now))
              && term.database()
                  .read(
                      tx ->
                          term.write(
                              control ->
                                  rows.routing().hasType(control, type)
                                      || route(tx, control, type)));
    }
    if (!ensured) {
      throw new PartitionException(
          Reason.BUSY, "Node %s ended before it got the first partition".formatted(node));
    }
  }

  private String nodeFor(String type, Instant now) {
    Map<String, NodeRow> nodes = new TreeMap<>(term.read(rows.nodes()::all));
    nodes.values().removeIf(row -> !ClusterRows.isPlaceable(row, now));
    if (nodes.isEmpty()) {
      throw new PartitionException(
          Reason.BUSY,
          "No node is active that could take the first partition of %s; start a server"
              .formatted(type));
    }
    List<String> silent = new ArrayList<>();
    for (Map.Entry<String, NodeRow> node : nodes.entrySet()) {
      Optional<Set<String>> types = serves(node.getKey(), node.getValue());
      if (types.isEmpty()) {
        silent.add(node.getKey());
      } else if (types.get().contains(type)) {
        return node.getKey();
      }
    }
    throw silent.isEmpty()
        ? new PartitionException(
            Reason.NOT_FOUND,
            "No active node has the actor type %s; active are %s. Start a server with it, or check its name."
                .formatted(type, String.join(", ", nodes.keySet())))
        : new PartitionException(
            Reason.BUSY,
            "No node that answers has the actor type %s; %s did not answer. Try again."
                .formatted(type, String.join(", ", silent)));
  }

  /** Gives the first partition an owner, unless a manager has done so; whether it has one. */
  private boolean own(
      Transaction tx, Rows control, String type, String partition, String node, Instant now) {
    if (rows.owners(tx).values().stream().anyMatch(owner -> owner.type().equals(type))) {
      return true;
    }
    Optional<NodeRow> row =
        rows.nodes().find(control, node).filter(found -> ClusterRows.isPlaceable(found, now));
    row.ifPresent(
        found ->
            rows.routing()
                .own(
                    tx,
                    partition,
                    new OwnershipRow(
                        1,
                        node,
                        found.incarnation(),
                        Phase.SERVING,
                        type,
                        PartitionRange.ALL,
                        Optional.empty())));
    return row.isPresent();
  }

  private boolean route(ReadTransaction tx, Rows control, String type) {
    rows.owners(tx)
        .forEach(
            (partition, owner) -> {
              if (owner.type().equals(type)) {
                rows.routing().route(control, partition, owner);
              }
            });
    rows.routing().bumpVersion(control);
    return true;
  }

  private void lookAtOwners(Instant now) {
    // Owners before nodes: an incarnation that owns something and is not in a later look has ended.
    Map<String, OwnershipRow> all = term.readStore(rows::ownerships);
    Map<String, OwnershipRow> owners = ClusterRows.withoutRetired(all);
    record Seen(Map<String, NodeRow> nodes, Set<String> locked) {}
    Seen seen =
        term.read(
            control ->
                new Seen(rows.nodes().all(control), rows.operations().locks(control).keySet()));
    owners.forEach(
        (partition, owner) -> {
          Optional<NodeRow> node = Optional.ofNullable(seen.nodes().get(owner.node()));
          if (seen.locked().contains(partition)) {
            return;
          }
          if (ClusterRows.isGone(owner, node)) {
            failOver(partition, seen.nodes(), now);
          } else if (owner.phase() == Phase.RECOVERING) {
            wake(partition, owner.node(), node.orElseThrow());
          }
        });
    tombstones.sweep(all);
  }

  private void failOver(String partition, Map<String, NodeRow> nodes, Instant now) {
    boolean possible = nodes.values().stream().anyMatch(r -> ClusterRows.isPlaceable(r, now));
    if (possible && policy.get().failover() == Policy.Failover.AUTOMATIC) {
      quietly(
          () ->
              runner.start(
                  OperationRequest.failover(partition, Optional.empty(), FAILOVER_DEADLINE)));
    }
  }

  private void wake(String partition, String node, NodeRow row) {
    Thread.startVirtualThread(
        () -> quietly(() -> hosts.host(node, row).refresh(List.of(partition))));
  }

  private static void quietly(Runnable step) {
    try {
      step.run();
    } catch (PartitionException refused) {
      LOG.log(Level.DEBUG, "The reconciler tries again: {0}", refused.getMessage());
    }
  }
}
