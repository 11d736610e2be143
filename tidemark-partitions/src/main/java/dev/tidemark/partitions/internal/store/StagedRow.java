package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.tuple.Tuple;
import java.util.Optional;

/**
 * What an operation has prepared for a partition. It counts only if the partition is still as it
 * was then: of that epoch, and its log not longer.
 *
 * @param epoch the epoch of the partition then; 0 for one that the operation creates
 * @param lsn the end of its log then
 * @param checkpoint what it starts from afterwards; nothing for one that ends with the operation
 */
public record StagedRow(long epoch, long lsn, Optional<CheckpointHeadRow> checkpoint) {
  public byte[] encode() {
    return RowFormat.encode(epoch, lsn, checkpoint.map(CheckpointHeadRow::encode).orElse(null));
  }

  public static StagedRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("staged", value, 3);
    return new StagedRow(
        fields.getLong(0),
        fields.getLong(1),
        fields.isNull(2)
            ? Optional.empty()
            : Optional.of(CheckpointHeadRow.decode(fields.getBytes(2))));
  }
}
