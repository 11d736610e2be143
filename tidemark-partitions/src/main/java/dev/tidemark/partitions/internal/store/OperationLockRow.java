package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.tuple.Tuple;

/**
 * Which operation alone may change a partition.
 *
 * @param operation the operation
 * @param term the term of the leader that took the lock
 */
public record OperationLockRow(String operation, long term) {
  public byte[] encode() {
    return RowFormat.encode(operation, term);
  }

  public static OperationLockRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("oplock", value, 2);
    return new OperationLockRow(fields.getString(0), fields.getLong(1));
  }
}
