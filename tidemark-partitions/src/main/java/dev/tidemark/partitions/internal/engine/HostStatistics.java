package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.PartitionLoad;
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

  /** The same as operators see it. */
  public List<PartitionLoad> loads() {
    return partitions.stream()
        .map(
            one ->
                new PartitionLoad(
                    one.partition(),
                    one.type(),
                    node,
                    one.active(),
                    one.requestsPerSecond(),
                    one.keys(),
                    one.bytes(),
                    one.queued(),
                    one.p50(),
                    one.p99()))
        .toList();
  }
}
