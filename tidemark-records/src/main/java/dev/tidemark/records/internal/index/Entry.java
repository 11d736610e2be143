package dev.tidemark.records.internal.index;

import dev.tidemark.kv.tuple.Tuple;

/**
 * An entry of one record in an index.
 *
 * @param key the columns and the primary key, or the group of an aggregate
 * @param value the covering columns, or the amount that is added to the group
 */
public record Entry(Tuple key, Tuple value) {}
