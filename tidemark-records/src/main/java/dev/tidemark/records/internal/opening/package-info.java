/**
 * Upgrades a store from its stored schema to that of a program.
 *
 * <p>{@code Opening} opens a space: it has the rules of {@code evolution} checked, and brings
 * header, indexes and streams up to the new version. {@code SchemaComparison} lists what is
 * different and {@code SchemaCosts} what it would take. {@link dev.tidemark.records.RecordSpace}
 * and {@link dev.tidemark.records.maintenance.SchemaDiff} call it.
 */
@NullMarked
package dev.tidemark.records.internal.opening;

import org.jspecify.annotations.NullMarked;
