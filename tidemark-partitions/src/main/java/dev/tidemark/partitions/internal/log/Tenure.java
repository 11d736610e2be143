package dev.tidemark.partitions.internal.log;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.Phase;
import java.util.Optional;

/**
 * A partition while one server owns it in one epoch.
 *
 * @param partition the partition
 * @param epoch the epoch
 * @param node the server
 * @param incarnation which start of it
 * @param type the actor type
 * @param range the keys
 */
public record Tenure(
    String partition,
    long epoch,
    String node,
    long incarnation,
    String type,
    PartitionRange range) {

  /** The tenure that {@code row} grants to its owner. */
  public static Tenure of(String partition, OwnershipRow row) {
    return new Tenure(
        partition, row.epoch(), row.node(), row.incarnation(), row.type(), row.range());
  }

  /** Whether {@code row} still says the same, whatever the phase. */
  boolean holdsIn(OwnershipRow row) {
    return row.epoch() == epoch && row.isOwnedBy(node, incarnation) && row.phase() != Phase.RETIRED;
  }

  /** Checks that {@code row} still says the same; the row is there unless the cluster is gone. */
  OwnershipRow check(Optional<OwnershipRow> row) {
    if (row.isEmpty() || !holdsIn(row.get())) {
      throw new PartitionException(
          Reason.MOVED,
          "%s no longer belongs to %s in epoch %d; it is with %s"
              .formatted(partition, node, epoch, row.map(Tenure::where).orElse("nobody")));
    }
    return row.get();
  }

  /** Checks that {@code row} still says the same and lets the owner append. */
  void checkServing(Optional<OwnershipRow> row) {
    OwnershipRow now = check(row);
    if (now.phase() != Phase.SERVING) {
      throw new PartitionException(
          Reason.BUSY, "%s takes no writes now: its phase is %s".formatted(partition, now.phase()));
    }
  }

  private static String where(OwnershipRow row) {
    return "%s in epoch %d, %s".formatted(row.node(), row.epoch(), row.phase());
  }
}
