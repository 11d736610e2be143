package dev.tidemark.partitions;

import dev.tidemark.kv.UsageException;

/**
 * Where one partition lives.
 *
 * @param partition the partition's id, unique over all actor types
 * @param type the type of its actor
 * @param range the keys that it holds
 * @param node the id of the node that owns it
 * @param address where that node listens, {@code host:port}
 * @param epoch counts the hand-overs of the partition; a request with another epoch is refused
 */
public record Route(
    String partition, String type, PartitionRange range, String node, String address, long epoch) {
  /** Refuses routes without a name. */
  public Route {
    if (partition.isEmpty() || type.isEmpty()) {
      throw UsageException.invalidOption(
          "A route needs a partition and a type; it has \"%s\" and \"%s\""
              .formatted(partition, type));
    }
  }
}
