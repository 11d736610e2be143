package dev.tidemark.records.maintenance;

/**
 * The progress of a collection of {@link Statistics}.
 *
 * @param name the type or index that is read now
 * @param done the number of types and indexes that are done
 * @param total the number of types and indexes to do
 * @param read the number of rows of this one that were read
 * @param fraction the fraction of this one that is done, from 0 to 1
 */
public record StatisticsProgress(String name, int done, int total, long read, double fraction) {}
