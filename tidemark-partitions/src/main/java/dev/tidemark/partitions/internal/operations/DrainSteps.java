package dev.tidemark.partitions.internal.operations;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.policy.Placement;
import dev.tidemark.partitions.internal.store.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Empties a node: an operation for each partition, a few at a time, until it owns none. */
final class DrainSteps {
  private static final int AT_ONCE = 4;
  private static final Duration MOVE_DEADLINE = Duration.ofMinutes(1);

  private DrainSteps() {}

  static void attempt(Run run, OperationRunner runner) {
    String node = run.row().node().orElseThrow();
    List<String> left = owned(run, node);
    while (!left.isEmpty()) {
      run.step("%d partitions left".formatted(left.size()));
      move(run, runner, node, left.subList(0, Math.min(AT_ONCE, left.size())));
      left = owned(run, node);
    }
  }

  private static List<String> owned(Run run, String node) {
    return run.term.readStore(run.rows::owners).entrySet().stream()
        .filter(owner -> owner.getValue().node().equals(node))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static void move(Run run, OperationRunner runner, String node, List<String> partitions) {
    ClusterLoad cluster = runner.load();
    List<String> begun = new ArrayList<>();
    for (String partition : partitions) {
      String target = Placement.choose(cluster, node).orElseThrow(() -> nowhere(run, node));
      cluster = cluster.moved(partition, target);
      begun.add(
          runner.start(
              OperationRequest.migrate(partition, Optional.empty(), target, MOVE_DEADLINE)));
    }
    begun.forEach(id -> runner.await(id, MOVE_DEADLINE));
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
