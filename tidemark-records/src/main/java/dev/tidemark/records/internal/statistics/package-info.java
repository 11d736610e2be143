/**
 * Statistics of types and indexes: numbers of rows and of distinct values, common values and
 * histograms.
 *
 * <p>{@code StatisticsRun} collects them by sampling and stores them; {@code SpaceStatistics} gives
 * them to the planner, {@code Reports} to programs. {@code query.plan} and {@link
 * dev.tidemark.records.maintenance.Statistics} call it.
 */
@NullMarked
package dev.tidemark.records.internal.statistics;

import org.jspecify.annotations.NullMarked;
