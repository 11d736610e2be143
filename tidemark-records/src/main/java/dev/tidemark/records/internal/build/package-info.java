/**
 * Builds indexes from existing records.
 *
 * <p>{@code IndexBuild} builds in many transactions, from several threads and processes, while
 * others write; {@code InlineBuild} does a small one while a space is opened. {@code BuildBatch} is
 * one transaction, {@code Fragments} and {@code Gap} know what is missing yet. Indexes that are not
 * readable come in; readable ones go out. {@link dev.tidemark.records.maintenance.OnlineIndexer},
 * {@code scrub} and {@code evolution} call it.
 */
@NullMarked
package dev.tidemark.records.internal.build;

import org.jspecify.annotations.NullMarked;
