package dev.tidemark.records.maintenance;

/**
 * How far {@link Migrations} have come.
 *
 * @param step the name of the step that runs
 * @param done how many steps are done, in earlier runs too
 * @param total how many steps there are
 * @param records how many records this step has been through, in earlier runs too
 * @param fraction how much of this step is done, from 0 to 1, as the store estimates it; 0 for a
 *     custom step
 */
public record MigrationProgress(String step, int done, int total, long records, double fraction) {}
