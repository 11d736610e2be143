package dev.tidemark.partitions;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What a partition did in the last minute.
 *
 * @param partition its id
 * @param type its actor type
 * @param node who serves it
 * @param active whether it is in memory
 * @param requestsPerSecond requests a second
 * @param keys how many keys it has, if its actor counts them
 * @param bytes how large it is
 * @param queued requests that wait
 * @param p50 half of the requests took no longer
 * @param p99 ninety-nine of a hundred took no longer
 */
public record PartitionLoad(
    String partition,
    String type,
    String node,
    boolean active,
    double requestsPerSecond,
    OptionalLong keys,
    long bytes,
    int queued,
    Duration p50,
    Duration p99) {}
