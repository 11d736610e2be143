package dev.tidemark.partitions.internal.engine;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What a partition did in the last minute, and how large it is.
 *
 * @param partition the partition
 * @param type its actor type
 * @param epoch the epoch of its ownership
 * @param active whether it is in memory
 * @param requestsPerSecond requests a second, failed ones too, on average over the last minute
 * @param keys how many keys the actor counts, if it counts them
 * @param bytes how large its last checkpoint and the log behind it are together
 * @param queued requests that wait in its mailbox
 * @param p50 half of the requests took no longer
 * @param p99 ninety-nine of a hundred took no longer
 * @param logEntries log entries behind the last checkpoint
 */
public record PartitionStatistics(
    String partition,
    String type,
    long epoch,
    boolean active,
    double requestsPerSecond,
    OptionalLong keys,
    long bytes,
    int queued,
    Duration p50,
    Duration p99,
    long logEntries) {}
