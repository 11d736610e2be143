/**
 * Questions about records, and what comes back.
 *
 * <p>{@link dev.tidemark.records.RecordStore#query} gives a {@link
 * dev.tidemark.records.query.Query}. The generated {@link dev.tidemark.records.query.Field}s make
 * {@link dev.tidemark.records.query.Filter}s and orders for it; selections, groups and joins are
 * other forms of it. An answer comes as a list, a stream or a {@link
 * dev.tidemark.records.query.Cursor}, which can go on in a later transaction. {@link
 * dev.tidemark.records.query.IndexRange} and {@link dev.tidemark.records.query.TextQuery} are for
 * those who read one index themselves.
 */
@NullMarked
package dev.tidemark.records.query;

import org.jspecify.annotations.NullMarked;
