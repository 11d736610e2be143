/**
 * Compares indexes with records, and repairs what differs.
 *
 * <p>{@code ScrubRun} goes through a space batch by batch and keeps its progress in the store.
 * {@code RowScrub} compares entries with the records that give them; {@code TotalScrub} builds a
 * second copy of an index of totals and compares the two. Findings go out, to {@link
 * dev.tidemark.records.maintenance.Scrubber}, its only caller.
 */
@NullMarked
package dev.tidemark.records.internal.scrub;

import org.jspecify.annotations.NullMarked;
