package dev.tidemark.partitions.internal.operations;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import java.util.List;
import java.util.Optional;

/**
 * Splits a partition: its server stages both halves, one transaction puts them into effect. Before
 * that nothing has happened, after it everything has.
 */
final class SplitSteps {
  private SplitSteps() {}

  static void attempt(Run run) {
    String upper = run.row().other().orElseThrow();
    if (!run.isFlipped()) {
      OwnershipRow owner = run.owner(run.partition());
      run.row().key().ifPresent(key -> checkInside(run.partition(), owner.range(), key));
      run.step("stage");
      Key key =
          run.ownerHost(owner)
              .stageSplit(run.partition(), owner.epoch(), upper, run.id, run.row().key(), Run.HOLD);
      checkInside(run.partition(), owner.range(), key);
      OperationRequest.checkLength(key);
      run.choose(Optional.of(key), Optional.of(upper));
      run.step("flip");
      flip(run, owner, upper, key);
    }
    run.refresh(List.of(run.partition(), upper));
  }

  private static void checkInside(String partition, PartitionRange range, Key key) {
    if (!range.canSplitAt(key)) {
      throw new PartitionException(
          Reason.INVALID,
          "Partition %s holds %s and cannot be split at %s; give a key inside, above its first"
              .formatted(partition, range, key));
    }
  }

  private static void flip(Run run, OwnershipRow owner, String upper, Key key) {
    run.flip(
        (tx, control) -> {
          run.rows.staging().apply(tx, run.id);
          long epoch = owner.epoch() + 1;
          run.rows
              .routing()
              .own(tx, run.partition(), part(run, owner, epoch, owner.range().below(key)));
          run.rows.routing().own(tx, upper, part(run, owner, epoch, owner.range().above(key)));
        });
  }

  private static OwnershipRow part(Run run, OwnershipRow owner, long epoch, PartitionRange range) {
    return new OwnershipRow(
        epoch,
        owner.node(),
        owner.incarnation(),
        Phase.SERVING,
        owner.type(),
        range,
        Optional.of(run.id));
  }
}
