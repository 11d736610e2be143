package dev.tidemark.partitions.internal.operations;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.engine.PartitionHost;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OperationRow.Kind;
import dev.tidemark.partitions.internal.store.OperationRow.Status;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One operation in the hands of the leader that runs it. Used by one thread. */
final class Run {
  /** How long a server holds requests back for a flip, unless it is asked again. */
  static final Duration HOLD = Duration.ofSeconds(5);

  final String id;
  final TermWrites term;
  final ClusterRows rows;
  private final Hosts hosts;
  private final Map<String, Set<String>> refusals = new HashMap<>();
  private OperationRow row;

  Run(String id, OperationRow row, TermWrites term, ClusterRows rows, Hosts hosts) {
    this.id = id;
    this.row = row;
    this.term = term;
    this.rows = rows;
    this.hosts = hosts;
  }

  OperationRow row() {
    return row;
  }

  boolean isFlipped() {
    return row.step().equals(OperationTable.FLIPPED);
  }

  String partition() {
    return row.partition().orElseThrow();
  }

  /**
   * A node could not take a partition. Only this leader knows; the next one asks the node again.
   */
  void refused(String partition, String node) {
    refusals.computeIfAbsent(partition, any -> new HashSet<>()).add(node);
  }

  Set<String> refusedBy(String partition) {
    return Set.copyOf(refusals.getOrDefault(partition, Set.of()));
  }

  void forgetRefusals(String partition) {
    refusals.remove(partition);
  }

  /** Says what comes next, unless somebody ended the operation meanwhile. */
  void step(String step) {
    row =
        term.write(
            tx -> {
              OperationRow now = running(tx);
              OperationRow next = changed(now, Status.RUNNING, step, now.attempt(), now.error());
              rows.operations().put(tx, id, next);
              return next;
            });
  }

  /** Remembers why an attempt failed. */
  void failedAttempt(String error) {
    row =
        term.write(
            tx -> {
              OperationRow now = running(tx);
              OperationRow next =
                  changed(now, Status.RUNNING, now.step(), now.attempt() + 1, Optional.of(error));
              rows.operations().put(tx, id, next);
              return next;
            });
  }

  /**
   * Makes the change visible: first the ownership rows that {@code body} writes, then the routes
   * that follow from them, the table's version and the step of this operation. That is one
   * transaction where all rows are in the store. Otherwise the first step writes an outcome, and
   * the manager that finds the outcome does the second step.
   */
  void flip(BiConsumer<Transaction, Rows> body) {
    if (term.control().isJoined()) {
      row =
          term.store(
              (tx, control) -> {
                OperationRow now = running(control);
                body.accept(tx, control);
                return publish(tx, control, now);
              });
    } else {
      own(body);
      publishApart();
    }
  }

  private void own(BiConsumer<Transaction, Rows> body) {
    term.store(
        (tx, control) -> {
          if (term.outcomes().isGivenUp(tx, id)) {
            throw new EndedException(rows.operations().require(control, id));
          }
          if (!term.outcomes().isFlipped(tx, id)) {
            running(control);
            body.accept(tx, control);
            term.outcomes().flip(tx, id);
          }
          return id;
        });
  }

  private void publishApart() {
    row = term.database().read(tx -> term.write(control -> publish(tx, control, running(control))));
  }

  /** The second step. Only this operation may change these partitions, so it may come late. */
  private OperationRow publish(ReadTransaction tx, Rows control, OperationRow now) {
    if (now.step().equals(OperationTable.FLIPPED)) {
      return now;
    }
    for (String partition : OperationTable.locked(now)) {
      rows.routing()
          .owner(tx, partition)
          .ifPresent(owner -> rows.routing().route(control, partition, owner));
    }
    rows.routing().bumpVersion(control);
    OperationRow next =
        changed(now, Status.RUNNING, OperationTable.FLIPPED, now.attempt(), Optional.empty());
    rows.operations().put(control, id, next);
    return next;
  }

  /** Does the second step if a manager did the first one and no more. */
  void settle() {
    if (!term.control().isJoined()
        && !isFlipped()
        && term.readStore(tx -> term.outcomes().isFlipped(tx, id))) {
      publishApart();
    }
  }

  /**
   * Ends the operation, if it has not ended. One whose change is visible is done, whatever came
   * after it; one that is not writes what {@code beside} writes.
   */
  void end(Status status, Optional<String> error, Consumer<Rows> beside) {
    if (term.control().isJoined()) {
      row =
          term.store(
              (tx, control) -> {
                rows.staging().discard(tx, id);
                return ended(control, status, error, beside);
              });
    } else {
      endApart(status, error, beside);
    }
  }

  private void endApart(Status status, Optional<String> error, Consumer<Rows> beside) {
    boolean mayStillFlip = status != Status.DONE && row.kind() != Kind.DRAIN;
    if (mayStillFlip && !term.store((tx, control) -> term.outcomes().giveUp(tx, id))) {
      settle();
    }
    row = term.write(control -> ended(control, status, error, beside));
    term.store(
        (tx, control) -> {
          rows.staging().discard(tx, id);
          return id;
        });
  }

  private OperationRow ended(
      Rows control, Status status, Optional<String> error, Consumer<Rows> beside) {
    OperationRow now = rows.operations().require(control, id);
    if (now.status().isFinal()) {
      return now;
    }
    boolean flipped = now.step().equals(OperationTable.FLIPPED);
    if (flipped && status == Status.CANCELLED) {
      throw new PartitionException(
          Reason.REFUSED, "Operation %s has taken effect already".formatted(id));
    }
    if (!flipped) {
      beside.accept(control);
    }
    OperationTable.Changes last =
        new OperationTable.Changes(
            flipped ? Status.DONE : status, now.step(), now.attempt(), term.nowMicros(), error);
    return rows.operations().end(control, id, now, last);
  }

  private OperationRow changed(
      OperationRow now, Status status, String step, int attempt, Optional<String> error) {
    return new OperationTable.Changes(status, step, attempt, term.nowMicros(), error).applyTo(now);
  }

  /** Remembers the key that was chosen, and the partition that is created. */
  void choose(Optional<Key> key, Optional<String> other) {
    row =
        term.write(
            tx -> {
              OperationRow now = running(tx);
              OperationRow next =
                  new OperationRow(
                      now.kind(),
                      now.status(),
                      now.step(),
                      now.type(),
                      now.partition(),
                      other,
                      now.node(),
                      key,
                      now.attempt(),
                      now.createdAt(),
                      now.deadline(),
                      term.nowMicros(),
                      now.error());
              rows.operations().put(tx, id, next);
              return next;
            });
  }

  private OperationRow running(Rows tx) {
    OperationRow now = rows.operations().require(tx, id);
    if (now.status().isFinal()) {
      throw new EndedException(now);
    }
    return now;
  }

  /** Who owns a partition now. */
  OwnershipRow owner(String partition) {
    OwnershipRow owner =
        term.database()
            .read(tx -> rows.routing().owner(tx, partition))
            .orElseThrow(
                () ->
                    new PartitionException(Reason.NOT_FOUND, "There is no partition " + partition));
    if (owner.phase() == Phase.RETIRED) {
      throw new PartitionException(
          Reason.NOT_FOUND, "Partition %s was merged into another".formatted(partition));
    }
    checkType(partition, owner);
    return owner;
  }

  private void checkType(String partition, OwnershipRow owner) {
    if (row.type().isPresent() && !row.type().get().equals(owner.type())) {
      throw new PartitionException(
          Reason.INVALID,
          "Partition %s is of type %s, not of %s"
              .formatted(partition, owner.type(), row.type().get()));
    }
  }

  /** The row of a node, if there is one. */
  Optional<NodeRow> node(String node) {
    return term.read(control -> rows.nodes().find(control, node));
  }

  /** The server that owns a partition and runs. */
  PartitionHost ownerHost(OwnershipRow owner) {
    Optional<NodeRow> node = node(owner.node());
    if (node.isEmpty() || ClusterRows.isGone(owner, node)) {
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s, which owns the partition, is gone; its partitions move first"
              .formatted(owner.node()));
    }
    return host(owner.node(), node.get());
  }

  PartitionHost host(String node, NodeRow nodeRow) {
    return hosts.host(node, nodeRow);
  }

  /** Has the owner read its rows again. If this fails, the reconciler repeats it. */
  void refresh(List<String> partitions) {
    for (String partition : partitions) {
      OwnershipRow owner = owner(partition);
      ownerHost(owner).refresh(List.of(partition));
    }
  }

  /** Somebody else ended the operation. */
  static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EndedException(OperationRow row) {
      super("The operation ended: " + row.status());
    }
  }
}
