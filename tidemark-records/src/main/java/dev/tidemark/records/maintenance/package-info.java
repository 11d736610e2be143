/**
 * Work on a whole space, beside the programs that use it.
 *
 * <p>{@link dev.tidemark.records.maintenance.OnlineIndexer} builds indexes, {@link
 * dev.tidemark.records.maintenance.Scrubber} compares them with the records, {@link
 * dev.tidemark.records.maintenance.Statistics} are collected for the planner of queries, and {@link
 * dev.tidemark.records.maintenance.Migrations} rewrite records after a change of the schema. {@link
 * dev.tidemark.records.maintenance.Upkeep} does what has to be done again and again. Each of them
 * takes a {@link dev.tidemark.records.RecordSpace} and works in many short transactions; one that
 * ends early is gone on with by the next.
 */
@NullMarked
package dev.tidemark.records.maintenance;

import org.jspecify.annotations.NullMarked;
