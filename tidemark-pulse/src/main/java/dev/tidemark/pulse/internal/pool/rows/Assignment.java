package dev.tidemark.pulse.internal.pool.rows;

/**
 * A job that a worker is to start.
 *
 * @param claim which
 * @param job what is known of it
 * @param payload what it was dispatched with
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared as a whole
record Assignment(JobClaim claim, JobRow job, byte[] payload) {}
