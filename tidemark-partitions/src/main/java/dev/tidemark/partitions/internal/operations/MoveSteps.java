package dev.tidemark.partitions.internal.operations;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Moves a partition to another node, or to a new incarnation of its own. While the owner runs, the
 * target loads the partition first and the owner then holds requests back until the flip. An owner
 * that is gone is not asked, and the target loads what it left; the epoch of the flip refuses
 * whatever it still writes.
 */
final class MoveSteps {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private MoveSteps() {}

  /** Moves to {@code target}, which is active. */
  static void attempt(Run run, String target) {
    if (run.isFlipped()) {
      run.refresh(List.of(run.partition()));
      return;
    }
    OwnershipRow owner = run.owner(run.partition());
    if (ClusterRows.isGone(owner, run.node(owner.node()))) {
      prepareAlone(run, target);
      run.step("flip");
      flip(run, target, owner, Phase.RECOVERING);
      run.refresh(List.of(run.partition()));
    } else {
      handOver(run, target, owner);
      run.refresh(List.of(run.partition()));
      release(run, owner);
    }
  }

  /**
   * Has the target load a partition whose node is gone. A target that cannot, for example because
   * it does not serve the actor's type, must not become the owner: nobody could take the partition
   * from it again.
   */
  private static void prepareAlone(Run run, String target) {
    run.step("prepare");
    try {
      run.host(target, placeable(run, target)).prepare(run.partition());
    } catch (PartitionException refused) {
      run.refused(run.partition(), target);
      throw new PartitionException(
          Reason.REFUSED,
          "Node %s cannot take the partition: %s".formatted(target, refused.getMessage()),
          refused);
    }
  }

  private static void handOver(Run run, String target, OwnershipRow owner) {
    if (owner.node().equals(target)) {
      throw new PartitionException(
          Reason.INVALID, "Partition %s is on node %s already".formatted(run.partition(), target));
    }
    run.step("prepare");
    run.host(target, placeable(run, target)).prepare(run.partition());
    run.step("quiesce");
    run.ownerHost(owner).quiesce(run.partition(), owner.epoch(), Run.HOLD);
    flip(run, target, owner, Phase.SERVING);
  }

  private static NodeRow placeable(Run run, String target) {
    return run.node(target)
        .filter(row -> ClusterRows.isPlaceable(row, run.term.now()))
        .orElseThrow(() -> noTarget(target));
  }

  private static PartitionException noTarget(String target) {
    return new PartitionException(
        Reason.REFUSED,
        "Node %s is unknown, or not active; partitions move to active nodes only"
            .formatted(target));
  }

  private static void flip(Run run, String target, OwnershipRow owner, Phase phase) {
    Instant now = run.term.now();
    run.flip(
        (tx, control) -> {
          checkOwner(run, tx, control, owner, phase);
          NodeRow row =
              run.rows
                  .nodes()
                  .find(control, target)
                  .filter(found -> ClusterRows.isPlaceable(found, now))
                  .orElseThrow(() -> noTarget(target));
          run.rows
              .routing()
              .own(
                  tx,
                  run.partition(),
                  new OwnershipRow(
                      owner.epoch() + 1,
                      target,
                      row.incarnation(),
                      phase,
                      owner.type(),
                      owner.range(),
                      Optional.of(run.id)));
        });
  }

  /** The owner has quiesced the partition, or is gone: either way it answers nothing any more. */
  private static void checkOwner(
      Run run, Transaction tx, Rows control, OwnershipRow owner, Phase phase) {
    if (phase == Phase.SERVING) {
      run.rows.staging().checkQuiesced(tx, run.partition(), owner.epoch());
      return;
    }
    OwnershipRow now = run.rows.routing().owner(tx, run.partition()).orElseThrow();
    if (now.epoch() != owner.epoch()
        || !ClusterRows.isGone(now, run.rows.nodes().find(control, now.node()))) {
      throw new PartitionException(
          Reason.BUSY, "The owner of %s has changed".formatted(run.partition()));
    }
  }

  /**
   * Has the former owner answer the requests that it holds back; without this call it would do so
   * later.
   */
  private static void release(Run run, OwnershipRow owner) {
    try {
      run.ownerHost(owner).refresh(List.of(run.partition()));
    } catch (PartitionException unreachable) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "The former owner of {0} does not answer",
          run.partition(),
          unreachable);
    }
  }
}
