package dev.tidemark.pulse.internal.pool.rows;

/**
 * That a worker has a job: what every write of a worker about a job carries, and what is checked.
 *
 * @param worker the worker
 * @param key the job
 * @param epoch the assignment
 */
public record JobClaim(String worker, String key, long epoch) {}
