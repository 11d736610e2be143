package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.PartitionRange;
import java.util.Optional;

/**
 * Who owns a partition. The fence of every append and every checkpoint: a transaction that reads
 * this row, or has it among its read conflicts, cannot commit after another owner has taken over.
 *
 * @param epoch rises with every hand-over and every change of the range
 * @param node the owner
 * @param incarnation which start of that node
 * @param phase what the owner may do
 * @param type the actor type
 * @param range the keys; of a retired partition, those that it had
 * @param operation the operation that wrote the row last, if one did
 */
public record OwnershipRow(
    long epoch,
    String node,
    long incarnation,
    Phase phase,
    String type,
    PartitionRange range,
    Optional<String> operation) {
  private static final int FIELDS = 8;

  /** Whether this start of this node owns the partition. */
  public boolean isOwnedBy(String other, long start) {
    return node.equals(other) && incarnation == start;
  }

  /** The same in another phase, which is no hand-over. */
  public OwnershipRow withPhase(Phase other) {
    return new OwnershipRow(epoch, node, incarnation, other, type, range, operation);
  }

  public byte[] encode() {
    return RowFormat.encode(
        epoch,
        node,
        incarnation,
        RowFormat.number(phase),
        type,
        RowFormat.bytes(range.start()),
        RowFormat.bytes(range.end()),
        operation.orElse(null));
  }

  public static OwnershipRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("own", value, FIELDS);
    return new OwnershipRow(
        fields.getLong(0),
        fields.getString(1),
        fields.getLong(2),
        RowFormat.constant(Phase.class, fields, 3),
        fields.getString(4),
        RowFormat.range(fields, 5),
        RowFormat.optionalText(fields, 7));
  }
}
