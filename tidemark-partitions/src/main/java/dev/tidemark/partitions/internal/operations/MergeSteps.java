package dev.tidemark.partitions.internal.operations;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import java.util.List;
import java.util.Optional;

/**
 * Merges two neighbours of one node: their server stages the merged partition, one transaction puts
 * it into effect. The upper partition stays as a tombstone for a while.
 */
final class MergeSteps {
  private MergeSteps() {}

  static void attempt(Run run) {
    if (!run.isFlipped()) {
      String upperId = run.row().other().orElseThrow();
      OwnershipRow lower = run.owner(run.partition());
      OwnershipRow upper = run.owner(upperId);
      check(run.partition(), lower, upperId, upper);
      run.step("stage");
      run.ownerHost(lower)
          .stageMerge(run.partition(), lower.epoch(), upperId, upper.epoch(), run.id, Run.HOLD);
      run.step("flip");
      flip(run, lower, upperId, upper);
    }
    // The upper partition too, which nobody owns now: its server holds requests back until it has
    // read that.
    run.ownerHost(run.owner(run.partition()))
        .refresh(List.of(run.partition(), run.row().other().orElseThrow()));
  }

  private static void check(
      String lowerId, OwnershipRow lower, String upperId, OwnershipRow upper) {
    if (!lower.type().equals(upper.type()) || !lower.range().isFollowedBy(upper.range())) {
      throw new PartitionException(
          Reason.INVALID,
          "Partition %s, %s of %s, is not followed by %s, %s of %s; only neighbours can be merged"
              .formatted(
                  lowerId, lower.range(), lower.type(), upperId, upper.range(), upper.type()));
    }
    if (!upper.isOwnedBy(lower.node(), lower.incarnation())) {
      throw new PartitionException(
          Reason.INVALID,
          "Partition %s is on node %s and %s on %s; migrate one of them first"
              .formatted(lowerId, lower.node(), upperId, upper.node()));
    }
  }

  private static void flip(Run run, OwnershipRow lower, String upperId, OwnershipRow upper) {
    run.flip(
        (tx, control) -> {
          run.rows.staging().apply(tx, run.id);
          PartitionRange whole = new PartitionRange(lower.range().start(), upper.range().end());
          long epoch = Math.max(lower.epoch(), upper.epoch()) + 1;
          run.rows
              .routing()
              .own(tx, upperId, owner(run, upper, epoch, Phase.RETIRED, upper.range()));
          run.rows
              .routing()
              .own(tx, run.partition(), owner(run, lower, epoch, Phase.SERVING, whole));
        });
  }

  private static OwnershipRow owner(
      Run run, OwnershipRow from, long epoch, Phase phase, PartitionRange range) {
    return new OwnershipRow(
        epoch, from.node(), from.incarnation(), phase, from.type(), range, Optional.of(run.id));
  }
}
