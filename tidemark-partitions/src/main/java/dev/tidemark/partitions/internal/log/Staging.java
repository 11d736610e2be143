package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.CheckpointHeadRow;
import dev.tidemark.partitions.internal.store.LogHeadRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.partitions.internal.store.StagedRow;
import java.util.List;
import java.util.Optional;

/**
 * Puts into effect, or throws away, what servers have staged for an operation. Both join the
 * manager's transaction: the one that flips ownership, or the one that abandons the operation.
 */
public final class Staging {
  private final PartitionKeys keys;

  public Staging(PartitionKeys keys) {
    this.keys = keys;
  }

  /**
   * Replaces checkpoints and logs by what was staged. The ownership rows must still be those from
   * before the flip: call this first, then write them.
   *
   * @throws PartitionException with the reason BUSY if nothing is staged, or a partition has
   *     changed since; stage again then
   */
  public void apply(Transaction tx, String operation) {
    List<KeyValue> rows = tx.scan(keys.staged(operation)).list();
    if (rows.isEmpty()) {
      throw new PartitionException(
          Reason.BUSY, "Nothing is staged for the operation %s".formatted(operation));
    }
    for (KeyValue row : rows) {
      apply(tx, operation, keys.stagedOf(row.key()), StagedRow.decode(row.value()));
    }
    tx.clear(keys.staged(operation));
  }

  private void apply(Transaction tx, String operation, String partition, StagedRow staged) {
    checkUnchanged(tx, operation, partition, staged);
    tx.get(keys.checkpointHead(partition))
        .map(CheckpointHeadRow::decode)
        .ifPresent(old -> tx.clear(keys.checkpoint(partition, old.generation())));
    tx.clear(keys.log(partition));
    if (staged.checkpoint().isPresent()) {
      CheckpointHeadRow head = staged.checkpoint().get();
      tx.set(keys.checkpointHead(partition), head.encode());
      tx.set(keys.logHead(partition), new LogHeadRow(head.lsn(), head.epoch()).encode());
    } else {
      tx.clear(keys.checkpointHead(partition));
      tx.clear(keys.logHead(partition));
      tx.clear(keys.checkpoints(partition));
    }
  }

  private void checkUnchanged(
      Transaction tx, String operation, String partition, StagedRow staged) {
    Optional<OwnershipRow> owner = ownership(tx, partition);
    if (staged.epoch() == 0) {
      if (owner.isPresent()) {
        throw new PartitionException(
            Reason.REFUSED, "The partition %s is there already".formatted(partition));
      }
      return;
    }
    checkQuiesced(tx, partition, staged.epoch());
    LogHeadRow log =
        tx.get(keys.logHead(partition)).map(LogHeadRow::decode).orElse(LogHeadRow.EMPTY);
    if (log.lsn() != staged.lsn()) {
      throw new PartitionException(
          Reason.BUSY,
          "What the operation %s staged for %s ends at log entry %,d; the log is at %,d. Stage it again"
              .formatted(operation, partition, staged.lsn(), log.lsn()));
    }
  }

  /**
   * Checks in the transaction of a flip that the owner of the partition serves nothing: it has
   * quiesced it, in {@code epoch}, and has not gone on since. It could not go on after the flip,
   * since it changes the same row for that. Without this check, only the end of the owner's lease
   * makes sure that it answers no reads.
   *
   * @throws PartitionException with the reason BUSY if the owner goes on; quiesce again then
   */
  public OwnershipRow checkQuiesced(Transaction tx, String partition, long epoch) {
    Optional<OwnershipRow> owner = ownership(tx, partition);
    if (owner.isEmpty() || owner.get().epoch() != epoch || owner.get().phase() != Phase.QUIESCED) {
      throw new PartitionException(
          Reason.BUSY,
          "%s is not quiesced in epoch %d: %s. Quiesce it again"
              .formatted(partition, epoch, owner.map(OwnershipRow::toString).orElse("no owner")));
    }
    return owner.get();
  }

  private Optional<OwnershipRow> ownership(Transaction tx, String partition) {
    return tx.get(keys.ownership(partition)).map(OwnershipRow::decode);
  }

  /** Throws away what was staged. Nothing happens where nothing was, or it took effect. */
  public void discard(Transaction tx, String operation) {
    for (KeyValue row : tx.scan(keys.staged(operation)).list()) {
      String partition = keys.stagedOf(row.key());
      StagedRow.decode(row.value())
          .checkpoint()
          .ifPresent(head -> tx.clear(keys.checkpoint(partition, head.generation())));
    }
    tx.clear(keys.staged(operation));
  }
}
