package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Tuple;

/**
 * What one record gives to an index.
 *
 * @param key where: the columns and the primary key, or the group of an aggregate
 * @param value what: the covering columns, or what is added to the group
 */
public record Entry(Tuple key, Tuple value) {}
