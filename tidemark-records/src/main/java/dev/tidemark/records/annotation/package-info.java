/**
 * The annotations of a Java record that is to be stored.
 *
 * <p>{@link dev.tidemark.records.annotation.Recordable} makes it a type of records, the others say
 * more about its fields, indexes and relationships. They exist at compile time alone: the processor
 * of tidemark-records-processor reads them and writes a {@link
 * dev.tidemark.records.schema.RecordType} with its codec. No class of this library reads them at
 * run time.
 */
@NullMarked
package dev.tidemark.records.annotation;

import org.jspecify.annotations.NullMarked;
