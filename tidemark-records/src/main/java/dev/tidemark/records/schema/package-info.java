/**
 * What is stored: types of records, their fields, indexes and change streams.
 *
 * <p>A {@link dev.tidemark.records.schema.Schema} is a list of {@link
 * dev.tidemark.records.schema.RecordType}s and {@link dev.tidemark.records.schema.IndexSpec}s with
 * a version. Generated code creates one; a program without classes can create one by hand. A schema
 * checks itself when it is created and knows no store: {@link
 * dev.tidemark.records.RecordSpace#open} compares it with the stored schema.
 */
@NullMarked
package dev.tidemark.records.schema;

import org.jspecify.annotations.NullMarked;
