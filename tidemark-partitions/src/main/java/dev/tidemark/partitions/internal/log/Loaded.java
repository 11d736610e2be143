package dev.tidemark.partitions.internal.log;

/**
 * How much of a partition was loaded.
 *
 * @param lsn the last log entry
 * @param checkpointLsn the last log entry that was in the checkpoint
 * @param checkpointBytes how large the checkpoint was
 */
public record Loaded(long lsn, long checkpointLsn, long checkpointBytes) {}
