/**
 * Operations on several rows: groups and aggregates, joins, distinct rows.
 *
 * <p>A {@code QueryEngine} gives the rows of the queries below; tables of values or pairs of
 * records go out. {@code AggregateIndexes} answers from indexes of totals where it can, without
 * reading records. Public forms of queries, SQL and {@code engine} call it.
 */
@NullMarked
package dev.tidemark.records.internal.query.group;

import org.jspecify.annotations.NullMarked;
