package dev.tidemark.partitions.internal.engine;

import java.util.List;

/**
 * What the partitions of a server did lately.
 *
 * @param node the server
 * @param incarnation which start of it
 * @param partitions those that it owns, active or not
 */
public record HostStatistics(String node, long incarnation, List<PartitionStatistics> partitions) {
  public HostStatistics {
    partitions = List.copyOf(partitions);
  }

  /** Requests a second of all partitions together. */
  public double requestsPerSecond() {
    return partitions.stream().mapToDouble(PartitionStatistics::requestsPerSecond).sum();
  }
}
