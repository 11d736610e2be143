package dev.tidemark.records.maintenance;

/**
 * How far a collection of {@link Statistics} has come.
 *
 * @param name the type or index that is read now
 * @param done how many types and indexes are done
 * @param total how many there are to do
 * @param read how many rows of this one have been read
 * @param fraction how much of this one is done, from 0 to 1
 */
public record StatisticsProgress(String name, int done, int total, long read, double fraction) {}
