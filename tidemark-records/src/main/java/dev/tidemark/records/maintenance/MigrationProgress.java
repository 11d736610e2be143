package dev.tidemark.records.maintenance;

/**
 * The progress of {@link Migrations}.
 *
 * @param step the name of the step that runs
 * @param done the number of steps that are done, including those of earlier runs
 * @param total the number of steps
 * @param records the number of records that this step has processed, including those of earlier
 *     runs
 * @param fraction the estimated fraction of this step that is done, from 0 to 1; 0 for a custom
 *     step
 */
public record MigrationProgress(String step, int done, int total, long records, double fraction) {}
