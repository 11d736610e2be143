/**
 * Queries for records, and their results.
 *
 * <p>{@link dev.tidemark.records.RecordStore#query} returns a {@link
 * dev.tidemark.records.query.Query}. The generated {@link dev.tidemark.records.query.Field}s create
 * {@link dev.tidemark.records.query.Filter}s and orders for it; selections, groups and joins derive
 * from it. Results come as a list, a stream or a {@link dev.tidemark.records.query.Cursor}, which a
 * later transaction can resume. {@link dev.tidemark.records.query.IndexRange} and {@link
 * dev.tidemark.records.query.TextQuery} are for programs that read one index without the planner.
 */
@NullMarked
package dev.tidemark.records.query;

import org.jspecify.annotations.NullMarked;
