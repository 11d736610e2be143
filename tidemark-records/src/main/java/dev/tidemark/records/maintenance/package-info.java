/**
 * Maintenance of whole spaces while programs use them.
 *
 * <p>{@link dev.tidemark.records.maintenance.OnlineIndexer} builds indexes, {@link
 * dev.tidemark.records.maintenance.Scrubber} compares them with the records, {@link
 * dev.tidemark.records.maintenance.Statistics} are collected for the planner of queries, and {@link
 * dev.tidemark.records.maintenance.Migrations} rewrite records after a change of the schema. {@link
 * dev.tidemark.records.maintenance.Upkeep} repeats the recurring tasks. Each takes a {@link
 * dev.tidemark.records.RecordSpace} and works in many short transactions; the next run resumes one
 * that ended early.
 */
@NullMarked
package dev.tidemark.records.maintenance;

import org.jspecify.annotations.NullMarked;
