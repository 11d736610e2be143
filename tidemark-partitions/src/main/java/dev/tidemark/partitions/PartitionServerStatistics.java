package dev.tidemark.partitions;

import java.util.List;
import java.util.Map;

/**
 * Numbers of a {@link PartitionServer} at one moment. Counts begin with the server.
 *
 * @param incarnation which start of the node it is; 0 while it is no member
 * @param requests requests that ended, answered or not
 * @param failures requests without an answer, by reason; MOVED and BUSY are tried again by clients
 * @param partitions what each partition that it owns did in the last minute
 */
public record PartitionServerStatistics(
    long incarnation,
    long requests,
    Map<PartitionException.Reason, Long> failures,
    List<PartitionLoad> partitions) {

  /** Copies the collections. */
  public PartitionServerStatistics {
    failures = Map.copyOf(failures);
    partitions = List.copyOf(partitions);
  }
}
