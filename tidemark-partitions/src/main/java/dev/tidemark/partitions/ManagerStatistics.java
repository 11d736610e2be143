package dev.tidemark.partitions;

import java.util.OptionalLong;

/**
 * Numbers of a {@link PartitionManager} at one moment. Counts begin with the manager.
 *
 * @param term its term, if it leads
 * @param routingVersion the version of the newest table that it knows
 * @param partitions how many partitions that table has
 * @param watchers clients that it pushes tables to
 * @param runningOperations operations that it carries out now
 * @param operationsDone operations that it ended well
 * @param operationsFailed operations that it gave up
 * @param operationsCancelled operations that an operator cancelled
 */
public record ManagerStatistics(
    OptionalLong term,
    long routingVersion,
    int partitions,
    int watchers,
    int runningOperations,
    long operationsDone,
    long operationsFailed,
    long operationsCancelled) {}
