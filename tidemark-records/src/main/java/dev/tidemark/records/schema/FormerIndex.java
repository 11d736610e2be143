package dev.tidemark.records.schema;

/**
 * An index that an earlier version of a schema had. Its name may only be reused for an index that
 * is built anew.
 *
 * @param name its name
 * @param removed the first version of the schema without it
 */
public record FormerIndex(String name, int removed) {}
