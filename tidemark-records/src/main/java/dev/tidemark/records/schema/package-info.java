/**
 * What is stored: types of records, their fields, indexes and change streams.
 *
 * <p>A {@link dev.tidemark.records.schema.Schema} is a list of {@link
 * dev.tidemark.records.schema.RecordType}s and {@link dev.tidemark.records.schema.IndexSpec}s with
 * a version. Generated code makes one; a program that has no classes can make one by hand. A schema
 * checks itself when it is made, and knows nothing of a store: {@link
 * dev.tidemark.records.RecordSpace#open} compares it with the stored one.
 */
@NullMarked
package dev.tidemark.records.schema;

import org.jspecify.annotations.NullMarked;
