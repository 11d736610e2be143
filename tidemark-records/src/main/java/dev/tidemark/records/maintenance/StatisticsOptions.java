package dev.tidemark.records.maintenance;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How {@link Statistics} are collected. */
public final class StatisticsOptions {
  /** What applies where nothing else is said. */
  public static final StatisticsOptions DEFAULTS =
      new StatisticsOptions(
          0, 100, 32, Duration.ofMillis(500), 250_000, 0.3, Duration.ofDays(7), progress -> {});

  /** 0 for one that depends on the size. */
  private final double sampleRate;

  private final int buckets;
  private final int commonValues;
  private final Duration timePerTransaction;
  private final int rowsPerCheckpoint;
  private final double driftMax;
  private final Duration ageMax;
  private final Consumer<StatisticsProgress> listener;

  private StatisticsOptions(
      double sampleRate,
      int buckets,
      int commonValues,
      Duration timePerTransaction,
      int rowsPerCheckpoint,
      double driftMax,
      Duration ageMax,
      Consumer<StatisticsProgress> listener) {
    if (!(driftMax >= 0)) {
      throw UsageException.invalidOption("driftMax is " + driftMax + "; it must not be negative");
    }
    if (buckets < 2 || buckets > 1_000 || commonValues < 1 || commonValues > 1_000) {
      throw UsageException.invalidOption(
          "buckets is %,d and commonValues %,d; they go from 2 and 1 to 1,000"
              .formatted(buckets, commonValues));
    }
    if (rowsPerCheckpoint < 1 || !timePerTransaction.isPositive() || ageMax.isNegative()) {
      throw UsageException.invalidOption(
          "rowsPerCheckpoint is %,d, timePerTransaction %s, ageMax %s; the first two must be positive, the third not negative"
              .formatted(rowsPerCheckpoint, timePerTransaction, ageMax));
    }
    this.sampleRate = sampleRate;
    this.buckets = buckets;
    this.commonValues = commonValues;
    this.timePerTransaction = timePerTransaction;
    this.rowsPerCheckpoint = rowsPerCheckpoint;
    this.driftMax = driftMax;
    this.ageMax = ageMax;
    this.listener = listener;
  }

  /**
   * What share of the rows is read, above 0 and up to 1. Default empty: all rows of what the store
   * takes to be below 16 MB, and as much of what is larger. A smaller share is faster and less
   * exact. Of what is larger than 64 MB, if the share is not 1, at least 32 rows of each of about a
   * thousand pieces are read, and beside them 20,000 rows or fewer in each of about 64 places are
   * counted.
   */
  public OptionalDouble sampleRate() {
    return sampleRate == 0 ? OptionalDouble.empty() : OptionalDouble.of(sampleRate);
  }

  /** Of a histogram, about. Default 100. */
  public int buckets() {
    return buckets;
  }

  /** Most values of a prefix whose numbers are kept one by one. Default 32. */
  public int commonValues() {
    return commonValues;
  }

  /** How long one transaction reads. Default half a second; the store ends it after 5. */
  public Duration timePerTransaction() {
    return timePerTransaction;
  }

  /**
   * After how many rows the work so far is stored, so that a collection that is killed goes on from
   * there. Default 250,000.
   */
  public int rowsPerCheckpoint() {
    return rowsPerCheckpoint;
  }

  /**
   * {@link Statistics#refreshIfStale} collects what has grown or shrunk by more than this share
   * since, or in which a larger share of the keys has changed. Default 0.3.
   */
  public double driftMax() {
    return driftMax;
  }

  /** And what is older than this. Default 7 days. */
  public Duration ageMax() {
    return ageMax;
  }

  /**
   * Is shown the progress after each piece, by the thread that collects. What it throws ends the
   * collection; the next one within an hour goes on from there.
   */
  public Consumer<StatisticsProgress> listener() {
    return listener;
  }

  /** These options with this fraction of the rows, instead of one that depends on the size. */
  public StatisticsOptions withSampleRate(double share) {
    if (!(share > 0 && share <= 1)) {
      throw UsageException.invalidOption(
          "sampleRate is " + share + "; it must be greater than 0, and 1 at most");
    }
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StatisticsOptions that
        && Double.compare(sampleRate, that.sampleRate) == 0
        && buckets == that.buckets
        && commonValues == that.commonValues
        && Objects.equals(timePerTransaction, that.timePerTransaction)
        && rowsPerCheckpoint == that.rowsPerCheckpoint
        && Double.compare(driftMax, that.driftMax) == 0
        && Objects.equals(ageMax, that.ageMax)
        && Objects.equals(listener, that.listener);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        sampleRate,
        buckets,
        commonValues,
        timePerTransaction,
        rowsPerCheckpoint,
        driftMax,
        ageMax,
        listener);
  }

  @Override
  public String toString() {
    return "StatisticsOptions["
        + "sampleRate="
        + sampleRate
        + ", buckets="
        + buckets
        + ", commonValues="
        + commonValues
        + ", timePerTransaction="
        + timePerTransaction
        + ", rowsPerCheckpoint="
        + rowsPerCheckpoint
        + ", driftMax="
        + driftMax
        + ", ageMax="
        + ageMax
        + ", listener="
        + listener
        + "]";
  }
}
