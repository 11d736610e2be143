package dev.tidemark.partitions;

/**
 * A page of a range that a caller wants.
 *
 * @param query what the caller said, in the form of a request
 * @param range where to look; the whole of it lies within the actor's range
 * @param limit the most items that the page may have, at least one
 * @param <Q> the requests
 */
public record ScanRequest<Q>(Q query, PartitionRange range, int limit) {}
