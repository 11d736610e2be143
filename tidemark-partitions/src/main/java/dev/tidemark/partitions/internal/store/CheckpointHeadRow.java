package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.tuple.Tuple;
import java.util.OptionalLong;

/**
 * The checkpoint that counts. All others are leftovers.
 *
 * @param generation names its chunks
 * @param lsn the last log entry that is in it
 * @param epoch the epoch of the owner that wrote it
 * @param parts how many parts it has: first the remembered answers, then one or two states
 * @param bytes how long all parts are together
 * @param keys how many keys the actor counted, if it counts them
 */
public record CheckpointHeadRow(
    String generation, long lsn, long epoch, int parts, long bytes, OptionalLong keys) {
  private static final int FIELDS = 6;

  public byte[] encode() {
    return RowFormat.encode(
        generation, lsn, epoch, parts, bytes, keys.isPresent() ? keys.getAsLong() : null);
  }

  public static CheckpointHeadRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("ckptHead", value, FIELDS);
    return new CheckpointHeadRow(
        fields.getString(0),
        fields.getLong(1),
        fields.getLong(2),
        fields.getInt(3),
        fields.getLong(4),
        fields.isNull(5) ? OptionalLong.empty() : OptionalLong.of(fields.getLong(5)));
  }
}
