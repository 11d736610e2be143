package dev.tidemark.partitions.internal.operations;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.OperationRow.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An operation that is asked for.
 *
 * @param kind what it does
 * @param type the actor type, where the caller named one
 * @param partition the partition it works on; of a merge, the lower one
 * @param other the upper partition of a merge, the new one of a split
 * @param node where to move to, or what to drain
 * @param key where to split
 * @param deadline how long it may take
 */
public record OperationRequest(
    Kind kind,
    Optional<String> type,
    Optional<String> partition,
    Optional<String> other,
    Optional<String> node,
    Optional<Key> key,
    Duration deadline) {
  private static final int SPLIT_KEY_BYTES = 10_000;

  /** A split, at {@code key} or where the actor says. */
  public static OperationRequest split(
      String partition, Optional<String> type, Optional<Key> key, Duration deadline) {
    key.ifPresent(OperationRequest::checkLength);
    return new OperationRequest(
        Kind.SPLIT,
        type,
        Optional.of(partition),
        Optional.empty(),
        Optional.empty(),
        key,
        deadline);
  }

  /** Two keys of a route have to fit into one row, and a table into one message. */
  static void checkLength(Key key) {
    if (key.size() > SPLIT_KEY_BYTES) {
      throw new PartitionException(
          Reason.INVALID,
          "A partition cannot be split at a key of %,d bytes; %,d is the most. Give the first bytes of it"
              .formatted(key.size(), SPLIT_KEY_BYTES));
    }
  }

  /** A merge of two neighbours. */
  public static OperationRequest merge(
      String lower, String upper, Optional<String> type, Duration deadline) {
    if (lower.equals(upper)) {
      throw new PartitionException(
          Reason.INVALID,
          "Partition %s cannot be merged with itself; name the one behind it".formatted(lower));
    }
    return new OperationRequest(
        Kind.MERGE,
        type,
        Optional.of(lower),
        Optional.of(upper),
        Optional.empty(),
        Optional.empty(),
        deadline);
  }

  /** A move to {@code node}. */
  public static OperationRequest migrate(
      String partition, Optional<String> type, String node, Duration deadline) {
    return new OperationRequest(
        Kind.MIGRATE,
        type,
        Optional.of(partition),
        Optional.empty(),
        Optional.of(node),
        Optional.empty(),
        deadline);
  }

  /** A move away from a node that is gone, to {@code node} or the least loaded one. */
  public static OperationRequest failover(
      String partition, Optional<String> node, Duration deadline) {
    return new OperationRequest(
        Kind.FAILOVER,
        Optional.empty(),
        Optional.of(partition),
        Optional.empty(),
        node,
        Optional.empty(),
        deadline);
  }

  /** Moves everything away from a node. */
  public static OperationRequest drain(String node, Duration deadline) {
    return new OperationRequest(
        Kind.DRAIN,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(node),
        Optional.empty(),
        deadline);
  }

  /** The partitions that must be in no other operation. */
  List<String> locked() {
    Stream<String> upper = kind == Kind.MERGE ? other.stream() : Stream.empty();
    return Stream.concat(partition.stream(), upper).toList();
  }
}
