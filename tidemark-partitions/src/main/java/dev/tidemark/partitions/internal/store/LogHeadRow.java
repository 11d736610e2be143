package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.tuple.Tuple;

/**
 * The end of a partition's log.
 *
 * @param lsn the number of the last entry; 0 where there never was one
 * @param epoch the epoch of the owner that appended it
 */
public record LogHeadRow(long lsn, long epoch) {
  /** Of a partition that has never been written to. */
  public static final LogHeadRow EMPTY = new LogHeadRow(0, 0);

  public byte[] encode() {
    return RowFormat.encode(lsn, epoch);
  }

  public static LogHeadRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("walHead", value, 2);
    return new LogHeadRow(fields.getLong(0), fields.getLong(1));
  }
}
