/**
 * The operations of a {@link dev.tidemark.records.RecordStore}: saves, loads, deletes, and reads of
 * one index.
 *
 * <p>{@code Records} reads. {@code RecordWrites} checks a change, lets {@code index} write the
 * entries and reports it to {@code changes}, all in the caller's transaction; {@code
 * ExpiredRecords} deletes what has expired. {@code Relations} and {@code DeletePlan} follow
 * relationships when a record is deleted, {@code RangeDelete} deletes many at once, {@code Expiry}
 * finds what has expired. {@code IndexReader}, {@code Aggregates} and {@code TextSearch} read an
 * index without the planner. Public types, queries and migrations call it.
 */
@NullMarked
package dev.tidemark.records.internal.store;

import org.jspecify.annotations.NullMarked;
