/**
 * From the schema that is stored to the one that a program has.
 *
 * <p>{@code Opening} opens a space: it compares the two schemas, refuses what cannot be, and brings
 * header, indexes and streams up to the new version. {@code SchemaEvolution} has the rules, {@code
 * SchemaComparison} lists the differences and {@code SchemaCosts} what they would take. {@link
 * dev.tidemark.records.RecordSpace} and {@link dev.tidemark.records.maintenance.SchemaDiff} call
 * it.
 */
@NullMarked
package dev.tidemark.records.internal.evolution;

import org.jspecify.annotations.NullMarked;
