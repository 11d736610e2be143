package dev.tidemark.records.schema;

/**
 * An index that a schema once had. Its name is not used again, unless for an index that is built
 * anew.
 *
 * @param name its name
 * @param removed the version of the schema that no longer had it
 */
public record FormerIndex(String name, int removed) {}
