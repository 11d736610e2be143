package dev.tidemark.partitions.internal.operations;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.store.NodeState;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OperationRow.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Empties a node: an operation for each partition, a few at a time, until it owns none. */
final class DrainSteps {
  private static final int AT_ONCE = 4;
  private static final Duration MOVE_DEADLINE = Duration.ofMinutes(1);
  private static final Duration MOVE_AT_LEAST = Duration.ofSeconds(1);

  private DrainSteps() {}

  /**
   * One attempt tries every partition once; the next attempt, after a pause, tries those that are
   * left. So a partition that cannot be moved does not hold up another.
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
    Duration patience = patience(run);
    Map<String, PartitionMove> begun = new LinkedHashMap<>();
    for (String partition : partitions) {
      String target = target(run, runner, node, partition);
      try {
        String id =
            runner.start(OperationRequest.migrate(partition, Optional.empty(), target, patience));
        begun.put(id, new PartitionMove(partition, target));
      } catch (PartitionException locked) {
        runner.targets().ended(partition);
        why = Optional.of(String.valueOf(locked.getMessage()));
      }
    }
    for (Map.Entry<String, PartitionMove> move : begun.entrySet()) {
      OperationRow row = runner.await(move.getKey(), patience);
      if (row.status() != Status.DONE) {
        run.refused(move.getValue().partition(), move.getValue().target());
        why = row.error().or(() -> Optional.of(move.getKey() + " goes on"));
      }
    }
    return why;
  }

  /** A move has no more time than the drain has left. */
  private static Duration patience(Run run) {
    Duration left = Duration.ofNanos((run.row().deadline() - run.term.nowMicros()) * 1_000);
    Duration some = left.compareTo(MOVE_AT_LEAST) < 0 ? MOVE_AT_LEAST : left;
    return some.compareTo(MOVE_DEADLINE) < 0 ? some : MOVE_DEADLINE;
  }

  private record PartitionMove(String partition, String target) {}

  /** A node that has not refused the partition; once all have, each is asked again. */
  private static String target(Run run, OperationRunner runner, String node, String partition) {
    Set<String> not = new HashSet<>(run.refusedBy(partition));
    not.add(node);
    return runner
        .targets()
        .choose(partition, not)
        .or(
            () -> {
              run.forgetRefusals(partition);
              return runner.targets().choose(partition, Set.of(node));
            })
        .orElseThrow(() -> nowhere(run, node));
  }

  /** Waiting helps if a node is about to be admitted, and not if no other node runs. */
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
