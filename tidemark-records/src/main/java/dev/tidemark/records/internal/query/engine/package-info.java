/**
 * The entry point of queries.
 *
 * <p>{@code PlanningEngine} takes what a program asks, has it planned, opens the plan and gives a
 * cursor over what it finds. {@code PlanCursor} stops at the limits and says where to go on, {@code
 * LongReads} goes on in further transactions by itself, {@code BulkChange} changes what was found.
 * {@link dev.tidemark.records.RecordStore} and SQL call it.
 */
@NullMarked
package dev.tidemark.records.internal.query.engine;

import org.jspecify.annotations.NullMarked;
