package dev.tidemark.changes;

/**
 * A changed row.
 *
 * @param keys the primary key
 * @param newValues values after the change, as far as the stream captures them
 * @param oldValues values before the change, as far as the stream captures them
 */
public record Mod(Values keys, Values newValues, Values oldValues) {}
