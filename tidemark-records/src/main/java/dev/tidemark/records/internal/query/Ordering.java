package dev.tidemark.records.internal.query;

import dev.tidemark.records.ColumnSpec;

/**
 * One column that results are sorted by.
 *
 * @param column ascending and not fanning out
 * @param descending whether larger values come first
 * @param nullsFirst whether null comes before all values
 */
public record Ordering(ColumnSpec column, boolean descending, boolean nullsFirst) {}
