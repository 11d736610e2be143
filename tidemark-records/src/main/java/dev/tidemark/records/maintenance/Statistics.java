package dev.tidemark.records.maintenance;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.statistics.Reports;
import dev.tidemark.records.internal.statistics.StatisticsRun;
import java.util.function.UnaryOperator;

/**
 * Statistics about the records and indexes of a space, by which queries are planned: how many there
 * are, how many different values, which are common and how they are spread.
 *
 * <p>They are collected from samples, in many short transactions without conflicts, while programs
 * read and write; a collection that ends early is gone on with by the next one within an hour. They
 * are never exact for long and need not be: a wrong one can make a query slow and never wrong. New
 * ones take effect for all programs at once.
 */
public final class Statistics {
  private final Space space;

  Statistics(Space space) {
    this.space = space;
  }

  /**
   * Collects statistics about all types and all readable indexes, and answers them.
   *
   * @throws dev.tidemark.kv.InterruptedOperationException if the thread was interrupted
   */
  public StatisticsReport collect(UnaryOperator<StatisticsOptions> change) {
    new StatisticsRun(space, change.apply(StatisticsOptions.DEFAULTS)).collectAll();
    return space.database().read(this::show);
  }

  /** Collects statistics with default options. */
  public StatisticsReport collect() {
    return collect(options -> options);
  }

  /**
   * Collects statistics about those types and indexes that have none, or whose are stale by {@link
   * StatisticsOptions#driftMax} and {@link StatisticsOptions#ageMax}. Cheap if there are none: it
   * asks the store for sizes and reads no rows. Answers whether there were any.
   */
  public boolean refreshIfStale(UnaryOperator<StatisticsOptions> change) {
    return new StatisticsRun(space, change.apply(StatisticsOptions.DEFAULTS)).collectStale();
  }

  /** Collects what is stale with default options. */
  public boolean refreshIfStale() {
    return refreshIfStale(options -> options);
  }

  /** The statistics as they are stored. */
  public StatisticsReport show(ReadTransaction tx) {
    return Reports.of(space, tx);
  }
}
