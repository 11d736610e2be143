package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Optional;

/**
 * A durable operation: its journal and its state machine. Any leader can resume it.
 *
 * @param kind what it does
 * @param status how far it is as a whole
 * @param step the step that comes next, in the words of its kind
 * @param type the actor type, where it has one
 * @param partition the partition it works on; of a merge, the lower one
 * @param other the second partition: the new one of a split, the upper one of a merge
 * @param node the node it moves to, drains or fails over
 * @param key the key to split at, given or chosen
 * @param attempt how often the step was begun
 * @param createdAt when it was asked for, in microseconds of the store's time
 * @param deadline when it is given up, in microseconds of the store's time
 * @param changedAt when this row was written, in microseconds of the store's time
 * @param error why the last attempt failed
 */
public record OperationRow(
    Kind kind,
    Status status,
    String step,
    Optional<String> type,
    Optional<String> partition,
    Optional<String> other,
    Optional<String> node,
    Optional<Key> key,
    int attempt,
    long createdAt,
    long deadline,
    long changedAt,
    Optional<String> error) {
  private static final int FIELDS = 13;

  /** What an operation does. The order is part of the format. */
  public enum Kind {
    ENSURE_TYPE,
    SPLIT,
    MERGE,
    MIGRATE,
    DRAIN,
    FAILOVER
  }

  /** How far an operation is. The order is part of the format. */
  public enum Status {
    PENDING,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED;

    /** Whether nothing more happens. */
    public boolean isFinal() {
      return this != PENDING && this != RUNNING;
    }
  }

  public byte[] encode() {
    return RowFormat.encode(
        RowFormat.number(kind),
        RowFormat.number(status),
        step,
        type.orElse(null),
        partition.orElse(null),
        other.orElse(null),
        node.orElse(null),
        RowFormat.bytes(key),
        attempt,
        createdAt,
        deadline,
        changedAt,
        error.orElse(null));
  }

  public static OperationRow decode(byte[] value) {
    Tuple fields = RowFormat.decode("op", value, FIELDS);
    return new OperationRow(
        RowFormat.constant(Kind.class, fields, 0),
        RowFormat.constant(Status.class, fields, 1),
        fields.getString(2),
        RowFormat.optionalText(fields, 3),
        RowFormat.optionalText(fields, 4),
        RowFormat.optionalText(fields, 5),
        RowFormat.optionalText(fields, 6),
        RowFormat.optionalKey(fields, 7),
        fields.getInt(8),
        fields.getLong(9),
        fields.getLong(10),
        fields.getLong(11),
        RowFormat.optionalText(fields, 12));
  }
}
