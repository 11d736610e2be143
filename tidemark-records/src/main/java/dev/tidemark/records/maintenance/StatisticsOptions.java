package dev.tidemark.records.maintenance;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The options of a collection of {@link Statistics}.
 *
 * @param sampleRate the fraction of the rows that is read, from 0 to 1. Default 0: all rows of a
 *     type or index of up to 16 MB by the estimate of the store, and 16 MB of a larger one. A
 *     smaller fraction is faster and less exact. Of more than 64 MB, unless the fraction is 1, at
 *     least 32 rows of each of about a thousand pieces are read, and up to 20,000 rows are counted
 *     in each of about 64 places
 * @param buckets about how many buckets a histogram has. Default 100
 * @param commonValues the largest number of common values that are kept for a prefix. Default 32
 * @param timePerTransaction how long one transaction reads. Default half a second; the store ends
 *     it after 5
 * @param rowsPerCheckpoint after how many rows the progress is stored, so that the next collection
 *     can resume after a crash. Default 250,000
 * @param driftMax the drift above which statistics are stale: the fraction by which the size has
 *     changed, or of the keys that have changed. Default 0.3
 * @param ageMax the age above which statistics are stale. Default 7 days
 * @param listener gets the progress after each piece, in the thread that collects. An exception
 *     that it throws ends the collection; the next one within an hour resumes there
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
  /** The default options. */
  public static final StatisticsOptions DEFAULTS =
      new StatisticsOptions(
          0, 100, 32, Duration.ofMillis(500), 250_000, 0.3, Duration.ofDays(7), progress -> {});

  /** Checks the values. */
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

  /** These options with another fraction of the rows; 0 for one that depends on the size. */
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

  /** These options with another time a transaction. */
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
