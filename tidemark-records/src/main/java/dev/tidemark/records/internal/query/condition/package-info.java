/**
 * The specification of queries: conditions, orders, groups.
 *
 * <p>Public filters and the parser of SQL make {@code Condition}s. {@code Normalizer} brings them
 * into one form, {@code Parameters} replaces the values in them by numbered slots, so that queries
 * that differ in values alone have one {@code Shape} and share plans. Nothing here knows of indexes
 * or reads a store. All other packages of queries use it.
 */
@NullMarked
package dev.tidemark.records.internal.query.condition;

import org.jspecify.annotations.NullMarked;
