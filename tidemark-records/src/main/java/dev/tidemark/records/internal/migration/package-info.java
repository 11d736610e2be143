/**
 * Rewrites the records of a space in named steps, each once.
 *
 * <p>{@code MigrationRun} takes the steps of a program in their order, remembers in the store which
 * are done and how far the next one is, and goes on there. {@code MigrationLease} keeps a second
 * process out. {@link dev.tidemark.records.maintenance.Migrations} is its only caller.
 */
@NullMarked
package dev.tidemark.records.internal.migration;

import org.jspecify.annotations.NullMarked;
