package dev.tidemark.changes;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Numbers of a {@link ChangeReader} at one moment. Counts begin with the reader; states and
 * watermarks are those of the whole run.
 *
 * @param records changes that were read
 * @param heartbeats heartbeats that were read
 * @param childRecords child records that were read
 * @param duplicates changes that a repeated query returned again and that were dropped
 * @param redeliveries changes handed out again because they were not acknowledged in time
 * @param overdue changes that were not acknowledged in time
 * @param queries queries that were opened
 * @param retries failed calls that were repeated
 * @param silences queries that were cancelled because they gave no sign of life
 * @param fenced partitions that were lost to another process
 * @param gaps times that changes had been removed before they were read
 * @param positionWrites changes of the metadata store for positions
 * @param inFlight changes that were read and not acknowledged
 * @param bytesInFlight how many bytes they take
 * @param reading partitions that this process reads
 * @param partitions partitions of the run by state
 * @param readWatermark up to where everything was read, as a time
 * @param ackWatermark up to where everything was acknowledged, as a time
 * @param lag how far the acknowledged time is behind the store's time
 */
public record ReaderStatistics(
    long records,
    long heartbeats,
    long childRecords,
    long duplicates,
    long redeliveries,
    long overdue,
    long queries,
    long retries,
    long silences,
    long fenced,
    long gaps,
    long positionWrites,
    int inFlight,
    long bytesInFlight,
    int reading,
    Map<PartitionRow.State, Long> partitions,
    Optional<Instant> readWatermark,
    Optional<Instant> ackWatermark,
    Optional<Duration> lag) {

  /** Copies the map. */
  public ReaderStatistics {
    partitions = Map.copyOf(partitions);
  }
}
