/**
 * Queries: conditions, plans and their execution. A query is normalised, its operands become
 * numbered slots, the planner finds plans for that shape, and a plan is run with the operands of
 * one call.
 */
@NullMarked
package dev.tidemark.records.internal.query;

import org.jspecify.annotations.NullMarked;
