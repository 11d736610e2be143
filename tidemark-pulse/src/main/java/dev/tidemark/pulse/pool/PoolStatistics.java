package dev.tidemark.pulse.pool;

/**
 * Numbers of one {@link PoolNode} at one moment. They are counted in memory, from the moment it
 * joined, also beyond the loss of its lease, and say nothing of other nodes; no store is asked.
 *
 * <p>Ends of jobs count when the store has them. A job that went to another worker in the meantime
 * has not ended here.
 *
 * @param workers workers of this node
 * @param running jobs that run here
 * @param queued jobs that wait here for their start, keys with messages among them
 * @param started times that a worker here began with a job; a job that is tried again, or has come
 *     back, counts again
 * @param finished jobs whose runner returned
 * @param failed times that a job failed here: its runner or its start threw
 * @param stopped jobs that were stopped here for good, by {@link PoolClient#stop} or with the pool
 * @param dispatched jobs given to the pool through this node by {@link PoolClient#dispatch(String,
 *     byte[])} and {@link PoolClient#dispatchOnce}, repetitions of the latter among them. What a
 *     transaction dispatches is not counted, because only its commit decides
 * @param refused those that the pool refused: it was full, or had the key or the id
 * @param leasesLost how often this node lost its lease
 */
public record PoolStatistics(
    int workers,
    int running,
    int queued,
    long started,
    long finished,
    long failed,
    long stopped,
    long dispatched,
    long refused,
    long leasesLost) {}
