package dev.tidemark.records.changes;

import dev.tidemark.records.schema.FieldType;

/**
 * A field of a changed record.
 *
 * @param name its name
 * @param type the type of its values
 * @param primaryKey whether it is part of the primary key
 * @param ordinal its position among the fields of the type, from 1
 * @param number its number in the schema, which it keeps when it gets another name
 */
public record ChangeColumn(
    String name, FieldType type, boolean primaryKey, int ordinal, int number) {}
