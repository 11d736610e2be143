package dev.tidemark.records.maintenance;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How {@link Statistics} are collected.
 *
 * @param sampleRate what share of the rows is read, from 0 to 1. Default 0: all rows of what the
 *     store takes to be below 16 MB, and as much of what is larger. A smaller share is faster and
 *     less exact. Of what is larger than 64 MB, if the share is not 1, at least 32 rows of each of
 *     about a thousand pieces are read, and beside them 20,000 rows or fewer in each of about 64
 *     places are counted
 * @param buckets of a histogram, about. Default 100
 * @param commonValues most values of a prefix whose numbers are kept one by one. Default 32
 * @param timePerTransaction how long one transaction reads. Default half a second; the store ends
 *     it after 5
 * @param rowsPerCheckpoint after how many rows the work so far is stored, so that a collection that
 *     is killed goes on from there. Default 250,000
 * @param driftMax {@link Statistics#refreshIfStale} collects what has grown or shrunk by more than
 *     this share since, or in which a larger share of the keys has changed. Default 0.3
 * @param ageMax and what is older than this. Default 7 days
 * @param listener is shown the progress after each piece, by the thread that collects. What it
 *     throws ends the collection; the next one within an hour goes on from there
 */
public record StatisticsOptions(
    double sampleRate,
    int buckets,
    int commonValues,
    Duration timePerTransaction,
    int rowsPerCheckpoint,
    double driftMax,
    Duration ageMax,
    Consumer<StatisticsProgress> listener) {
  /** What applies where nothing else is said. */
  public static final StatisticsOptions DEFAULTS =
      new StatisticsOptions(
          0, 100, 32, Duration.ofMillis(500), 250_000, 0.3, Duration.ofDays(7), progress -> {});

  /** Refuses values that make no sense. */
  public StatisticsOptions {
    if (!(sampleRate >= 0 && sampleRate <= 1) || !(driftMax >= 0)) {
      throw new IllegalArgumentException(
          "sampleRate is %s and driftMax %s; the first goes from 0 to 1, the second is not negative"
              .formatted(sampleRate, driftMax));
    }
    if (buckets < 2 || buckets > 1_000 || commonValues < 1 || commonValues > 1_000) {
      throw new IllegalArgumentException(
          "buckets is %,d and commonValues %,d; they go from 2 and 1 to 1,000"
              .formatted(buckets, commonValues));
    }
    if (rowsPerCheckpoint < 1 || !timePerTransaction.isPositive() || ageMax.isNegative()) {
      throw new IllegalArgumentException(
          "rowsPerCheckpoint is %,d, timePerTransaction %s, ageMax %s; the first two must be positive, the third not negative"
              .formatted(rowsPerCheckpoint, timePerTransaction, ageMax));
    }
  }

  /** These options with another share of the rows; 0 for one that depends on the size. */
  public StatisticsOptions withSampleRate(double share) {
    return new StatisticsOptions(
        share,
        buckets,
        commonValues,
        timePerTransaction,
        rowsPerCheckpoint,
        driftMax,
        ageMax,
        listener);
  }

  /** These options with another number of buckets. */
  public StatisticsOptions withBuckets(int number) {
    return new StatisticsOptions(
        sampleRate,
        number,
        commonValues,
        timePerTransaction,
        rowsPerCheckpoint,
        driftMax,
        ageMax,
        listener);
  }

  /** These options with another number of common values. */
  public StatisticsOptions withCommonValues(int number) {
    return new StatisticsOptions(
        sampleRate,
        buckets,
        number,
        timePerTransaction,
        rowsPerCheckpoint,
        driftMax,
        ageMax,
        listener);
  }

  /** These options with other longest transactions. */
  public StatisticsOptions withTimePerTransaction(Duration time) {
    return new StatisticsOptions(
        sampleRate, buckets, commonValues, time, rowsPerCheckpoint, driftMax, ageMax, listener);
  }

  /** These options with another number of rows between checkpoints. */
  public StatisticsOptions withRowsPerCheckpoint(int rows) {
    return new StatisticsOptions(
        sampleRate, buckets, commonValues, timePerTransaction, rows, driftMax, ageMax, listener);
  }

  /** These options with other limits for what is stale. */
  public StatisticsOptions withStale(double drift, Duration age) {
    return new StatisticsOptions(
        sampleRate,
        buckets,
        commonValues,
        timePerTransaction,
        rowsPerCheckpoint,
        drift,
        age,
        listener);
  }

  /** These options with another listener. */
  public StatisticsOptions withListener(Consumer<StatisticsProgress> other) {
    return new StatisticsOptions(
        sampleRate,
        buckets,
        commonValues,
        timePerTransaction,
        rowsPerCheckpoint,
        driftMax,
        ageMax,
        other);
  }
}
