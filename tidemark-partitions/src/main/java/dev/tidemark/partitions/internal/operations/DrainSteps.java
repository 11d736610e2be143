package dev.tidemark.partitions.internal.operations;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.store.NodeState;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OperationRow.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Empties a node: an operation for each partition, a few at a time, until it owns none. */
final class DrainSteps {
  private static final int AT_ONCE = 4;
  private static final Duration MOVE_DEADLINE = Duration.ofMinutes(1);

  private DrainSteps() {}

  /**
   * One attempt tries every partition once. What is left then is tried by the next attempt, after
   * its pause: a partition that cannot be moved holds up no other.
   */
  static void attempt(Run run, OperationRunner runner) {
    String node = run.row().node().orElseThrow();
    Set<String> tried = new HashSet<>();
    Optional<String> why = Optional.empty();
    List<String> left = owned(run, node);
    while (!left.isEmpty()) {
      run.step("%d partitions left".formatted(left.size()));
      List<String> next = left.stream().filter(one -> !tried.contains(one)).limit(AT_ONCE).toList();
      if (next.isEmpty()) {
        throw new PartitionException(
            Reason.BUSY,
            "Node %s still has %d partitions: %s"
                .formatted(node, left.size(), why.orElse("they could not be moved")));
      }
      tried.addAll(next);
      Optional<String> last = why;
      why = move(run, runner, node, next).or(() -> last);
      left = owned(run, node);
    }
  }

  private static List<String> owned(Run run, String node) {
    return run.term.readStore(run.rows::owners).entrySet().stream()
        .filter(owner -> owner.getValue().node().equals(node))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Moves some partitions; why one of them could not be moved, if so. */
  private static Optional<String> move(
      Run run, OperationRunner runner, String node, List<String> partitions) {
    Optional<String> why = Optional.empty();
    List<String> begun = new ArrayList<>();
    for (String partition : partitions) {
      String target =
          runner.targets().choose(partition, node).orElseThrow(() -> nowhere(run, node));
      try {
        begun.add(
            runner.start(
                OperationRequest.migrate(partition, Optional.empty(), target, MOVE_DEADLINE)));
      } catch (PartitionException locked) {
        runner.targets().ended(partition);
        why = Optional.of(String.valueOf(locked.getMessage()));
      }
    }
    for (String id : begun) {
      OperationRow row = runner.await(id, MOVE_DEADLINE);
      why = row.status() == Status.DONE ? why : row.error().or(() -> Optional.of(id + " goes on"));
    }
    return why;
  }

  /**
   * A node that is about to be let in is worth waiting for; where none runs, waiting is in vain.
   */
  private static PartitionException nowhere(Run run, String node) {
    Instant now = run.term.now();
    boolean soon =
        run.term.read(run.rows.nodes()::all).entrySet().stream()
            .filter(other -> !other.getKey().equals(node))
            .map(Map.Entry::getValue)
            .anyMatch(other -> other.state() == NodeState.WAITING && NodeTable.isAlive(other, now));
    return soon
        ? new PartitionException(
            Reason.BUSY, "Node %s cannot be emptied yet: no other node is active".formatted(node))
        : new PartitionException(
            Reason.REFUSED,
            "Node %s cannot be emptied: it is the last that runs. Start another one first, or end it; its partitions wait for the next"
                .formatted(node));
  }
}
