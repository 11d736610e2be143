package dev.tidemark.partitions;

import java.util.Map;

/**
 * Numbers of a {@link PartitionClient} at one moment. Counts begin with the client.
 *
 * @param requests requests that ended, each request of a batch and each page of a scan too
 * @param failures requests without an answer, by reason
 * @param repeats further attempts, by the reason for which the previous one failed
 * @param routingVersion the version of the table that it routes by
 */
public record PartitionClientStatistics(
    long requests,
    Map<PartitionException.Reason, Long> failures,
    Map<PartitionException.Reason, Long> repeats,
    long routingVersion) {

  /** Copies the maps. */
  public PartitionClientStatistics {
    failures = Map.copyOf(failures);
    repeats = Map.copyOf(repeats);
  }
}
