package dev.tidemark.records.query;

/**
 * The progress of a delete or an update by query.
 *
 * @param found how many records it has found in this run
 * @param changed how many of them it has deleted or saved; an update that leaves a record as it is
 *     saves nothing
 * @param done whether there are no more
 * @param continuation where another run resumes
 */
public record BulkProgress(long found, long changed, boolean done, Continuation continuation) {}
