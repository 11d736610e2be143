package dev.tidemark.records.maintenance;

import dev.tidemark.kv.tuple.Tuple;

/**
 * A stored record that a build or a migration cannot process: it is too large for an index, or its
 * class refuses it.
 *
 * @param type the name of its type
 * @param primaryKey its primary key
 * @param reason why it cannot be processed
 */
public record UnfitRecord(String type, Tuple primaryKey, String reason) {}
