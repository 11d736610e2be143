package dev.tidemark.records.maintenance;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.statistics.Reports;
import dev.tidemark.records.internal.statistics.StatisticsRun;
import java.util.function.UnaryOperator;

/**
 * Statistics of the records and indexes of a space, for the query planner: numbers of rows and of
 * distinct values, common values and histograms.
 *
 * <p>They are collected from samples, in many short transactions without conflicts, while programs
 * read and write; the next collection within an hour resumes one that ended early. Statistics are
 * never exact for long and need not be: wrong ones can make a query slow, but never its result
 * wrong. New ones take effect in all programs at once.
 */
public final class Statistics {
  private final Space space;

  Statistics(Space space) {
    this.space = space;
  }

  /**
   * Collects the statistics of all types and all readable indexes, and returns them.
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
   * Collects the statistics of the types and indexes that have none, or stale ones by {@link
   * StatisticsOptions#driftMax} and {@link StatisticsOptions#ageMax}, and returns whether there
   * were any. Cheap if there are none: it asks the store for sizes and reads no rows.
   */
  public boolean refreshIfStale(UnaryOperator<StatisticsOptions> change) {
    return new StatisticsRun(space, change.apply(StatisticsOptions.DEFAULTS)).collectStale();
  }

  /** Collects what is stale with default options. */
  public boolean refreshIfStale() {
    return refreshIfStale(options -> options);
  }

  /** The stored statistics. */
  public StatisticsReport show(ReadTransaction tx) {
    return Reports.of(space, tx);
  }
}
