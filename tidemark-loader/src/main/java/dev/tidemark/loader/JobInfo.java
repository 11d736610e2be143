package dev.tidemark.loader;

import java.time.Duration;
import java.util.UUID;

/**
 * A job that a loader gave to its warehouse.
 *
 * @param id the id of the job
 * @param messages how many messages it stood for
 * @param rows how many rows it had
 * @param bytes what the messages took in memory
 * @param took how long it took until the outcome was known
 * @param outcome what became of it
 */
public record JobInfo(
    UUID id, int messages, int rows, long bytes, Duration took, MergeOutcome outcome) {}
