package dev.tidemark.records.maintenance;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The options of an {@link Upkeep}.
 *
 * @param sweepEvery the pause between two sweeps of expired records, and of changes beyond the
 *     retention of their change stream. Default one minute; zero for no sweeps
 * @param sweptPerTransaction the largest number of records that a transaction deletes; fewer for a
 *     while after one that was too large or took too long. Default 200
 * @param refreshEvery the pause between two checks of the statistics. Default ten minutes; zero for
 *     none
 * @param statistics how statistics are collected, and when they are stale
 * @param timePerTurn how long one sweep or one collection may take; the next turn does the rest.
 *     Default one minute
 * @param pauseMax the longest pause after failures; a pause is never shorter than the failed turn
 *     was. Default one hour
 * @param listener gets the events, in the thread that does the work. Default: failures are logged
 *     as warnings
 */
public record UpkeepOptions(
    Duration sweepEvery,
    int sweptPerTransaction,
    Duration refreshEvery,
    StatisticsOptions statistics,
    Duration timePerTurn,
    Duration pauseMax,
    Consumer<UpkeepEvent> listener) {
  /** The default options. */
  public static final UpkeepOptions DEFAULTS =
      new UpkeepOptions(
          Duration.ofMinutes(1),
          200,
          Duration.ofMinutes(10),
          StatisticsOptions.DEFAULTS,
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          UpkeepOptions::log);

  /** Checks the values. */
  public UpkeepOptions {
    if (sweepEvery.isNegative() || refreshEvery.isNegative()) {
      throw new IllegalArgumentException(
          "sweepEvery is %s and refreshEvery %s; neither may be negative"
              .formatted(sweepEvery, refreshEvery));
    }
    if (sweptPerTransaction < 1 || !timePerTurn.isPositive() || !pauseMax.isPositive()) {
      throw new IllegalArgumentException(
          "sweptPerTransaction is %,d, timePerTurn %s and pauseMax %s; all must be positive"
              .formatted(sweptPerTransaction, timePerTurn, pauseMax));
    }
  }

  static void log(UpkeepEvent event) {
    if (event instanceof UpkeepEvent.Failed failed) {
      System.getLogger(Upkeep.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "Upkeep of records failed at " + failed.work() + "; again in " + failed.pause(),
              failed.failure());
    }
  }

  /** These options with another pause between sweeps; zero for no sweeps. */
  public UpkeepOptions withSweepEvery(Duration pause) {
    return new UpkeepOptions(
        pause, sweptPerTransaction, refreshEvery, statistics, timePerTurn, pauseMax, listener);
  }

  /** These options with another number of records that a transaction deletes. */
  public UpkeepOptions withSweptPerTransaction(int records) {
    return new UpkeepOptions(
        sweepEvery, records, refreshEvery, statistics, timePerTurn, pauseMax, listener);
  }

  /** These options with another pause between checks of the statistics; zero for none. */
  public UpkeepOptions withRefreshEvery(Duration pause) {
    return new UpkeepOptions(
        sweepEvery, sweptPerTransaction, pause, statistics, timePerTurn, pauseMax, listener);
  }

  /** These options with other options of statistics. */
  public UpkeepOptions withStatistics(StatisticsOptions other) {
    return new UpkeepOptions(
        sweepEvery, sweptPerTransaction, refreshEvery, other, timePerTurn, pauseMax, listener);
  }

  /** These options with another time a turn. */
  public UpkeepOptions withTimePerTurn(Duration time) {
    return new UpkeepOptions(
        sweepEvery, sweptPerTransaction, refreshEvery, statistics, time, pauseMax, listener);
  }

  /** These options with another longest pause after failures. */
  public UpkeepOptions withPauseMax(Duration pause) {
    return new UpkeepOptions(
        sweepEvery, sweptPerTransaction, refreshEvery, statistics, timePerTurn, pause, listener);
  }

  /** These options with another listener. */
  public UpkeepOptions withListener(Consumer<UpkeepEvent> other) {
    return new UpkeepOptions(
        sweepEvery, sweptPerTransaction, refreshEvery, statistics, timePerTurn, pauseMax, other);
  }
}
