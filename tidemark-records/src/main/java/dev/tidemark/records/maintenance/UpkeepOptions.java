package dev.tidemark.records.maintenance;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How an {@link Upkeep} keeps a record space up. */
public final class UpkeepOptions {
  /** What applies where nothing else is said. */
  public static final UpkeepOptions DEFAULTS =
      new UpkeepOptions(
          Duration.ofMinutes(1),
          200,
          Duration.ofMinutes(10),
          StatisticsOptions.DEFAULTS,
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          UpkeepOptions::log);

  /** Zero for no sweeps. */
  private final Duration sweepEvery;

  private final int sweptPerTransaction;

  /** Zero for no checks. */
  private final Duration refreshEvery;

  private final StatisticsOptions statistics;
  private final Duration timePerTurn;
  private final Duration pauseMax;
  private final Consumer<UpkeepEvent> listener;

  private UpkeepOptions(
      Duration sweepEvery,
      int sweptPerTransaction,
      Duration refreshEvery,
      StatisticsOptions statistics,
      Duration timePerTurn,
      Duration pauseMax,
      Consumer<UpkeepEvent> listener) {
    if (sweptPerTransaction < 1 || !timePerTurn.isPositive() || !pauseMax.isPositive()) {
      throw UsageException.invalidOption(
          "sweptPerTransaction is %,d, timePerTurn %s and pauseMax %s; all must be positive"
              .formatted(sweptPerTransaction, timePerTurn, pauseMax));
    }
    this.sweepEvery = sweepEvery;
    this.sweptPerTransaction = sweptPerTransaction;
    this.refreshEvery = refreshEvery;
    this.statistics = statistics;
    this.timePerTurn = timePerTurn;
    this.pauseMax = pauseMax;
    this.listener = listener;
  }

  /**
   * The pause between two sweeps of expired records, and of changes beyond the retention of their
   * change stream; empty if there are none. Default one minute.
   */
  public Optional<Duration> sweepEvery() {
    return present(sweepEvery);
  }

  /**
   * How many records a transaction deletes at most; fewer for a while, if it is too large or takes
   * too long. Default 200.
   */
  public int sweptPerTransaction() {
    return sweptPerTransaction;
  }

  /**
   * The pause between two checks of the statistics; empty if there are none. Default ten minutes.
   */
  public Optional<Duration> refreshEvery() {
    return present(refreshEvery);
  }

  private static Optional<Duration> present(Duration pause) {
    return pause.isZero() ? Optional.empty() : Optional.of(pause);
  }

  /** How statistics are collected, and when they are stale. */
  public StatisticsOptions statistics() {
    return statistics;
  }

  /**
   * How long one sweep or one collection may take; what is left is done in the next turn. Default
   * one minute.
   */
  public Duration timePerTurn() {
    return timePerTurn;
  }

  /**
   * The longest pause after failures, or as long as the failed turn took if that is longer. Default
   * one hour.
   */
  public Duration pauseMax() {
    return pauseMax;
  }

  /**
   * Told what was done and what failed, by the thread that does it. Default: failures are logged as
   * warnings.
   */
  public Consumer<UpkeepEvent> listener() {
    return listener;
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

  /** These options with another pause between sweeps. */
  public UpkeepOptions withSweepEvery(Duration pause) {
    return sweeping(positive("sweepEvery", pause));
  }

  /** These options, without sweeps of expired records and changes. */
  public UpkeepOptions withoutSweeps() {
    return sweeping(Duration.ZERO);
  }

  private static Duration positive(String name, Duration pause) {
    if (!pause.isPositive()) {
      throw UsageException.invalidOption(name + " is " + pause + "; it must be positive");
    }
    return pause;
  }

  private UpkeepOptions sweeping(Duration pause) {
    return new UpkeepOptions(
        pause, sweptPerTransaction, refreshEvery, statistics, timePerTurn, pauseMax, listener);
  }

  /** These options with another number of records that a transaction deletes. */
  public UpkeepOptions withSweptPerTransaction(int records) {
    return new UpkeepOptions(
        sweepEvery, records, refreshEvery, statistics, timePerTurn, pauseMax, listener);
  }

  /** These options with another pause between checks of the statistics. */
  public UpkeepOptions withRefreshEvery(Duration pause) {
    return refreshing(positive("refreshEvery", pause));
  }

  /** These options, without checks of the statistics. */
  public UpkeepOptions withoutRefresh() {
    return refreshing(Duration.ZERO);
  }

  private UpkeepOptions refreshing(Duration pause) {
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UpkeepOptions that
        && Objects.equals(sweepEvery, that.sweepEvery)
        && sweptPerTransaction == that.sweptPerTransaction
        && Objects.equals(refreshEvery, that.refreshEvery)
        && Objects.equals(statistics, that.statistics)
        && Objects.equals(timePerTurn, that.timePerTurn)
        && Objects.equals(pauseMax, that.pauseMax)
        && Objects.equals(listener, that.listener);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        sweepEvery, sweptPerTransaction, refreshEvery, statistics, timePerTurn, pauseMax, listener);
  }

  @Override
  public String toString() {
    return "UpkeepOptions["
        + "sweepEvery="
        + sweepEvery
        + ", sweptPerTransaction="
        + sweptPerTransaction
        + ", refreshEvery="
        + refreshEvery
        + ", statistics="
        + statistics
        + ", timePerTurn="
        + timePerTurn
        + ", pauseMax="
        + pauseMax
        + ", listener="
        + listener
        + "]";
  }
}
