package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.schema.ColumnSpec;

/**
 * One column that results are sorted by.
 *
 * @param column ascending and not fanning out
 * @param descending whether larger values come first
 * @param nullsFirst whether null comes before all values
 */
public record Ordering(ColumnSpec column, boolean descending, boolean nullsFirst) {}
