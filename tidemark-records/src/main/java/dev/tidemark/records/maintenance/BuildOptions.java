package dev.tidemark.records.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The options of an {@link OnlineIndexer}.
 *
 * @param indexes the names of the indexes to build, all of one type. One scan feeds all of them
 * @param workers how many threads build. Default 2; each has one transaction at a time
 * @param recordsPerTransaction the largest number of records of one transaction. Default 10,000.
 *     With fewer, writers and builder conflict less often; after a conflict the builder takes fewer
 *     for a while
 * @param bytesPerTransaction the largest number of bytes that one transaction writes. Default
 *     900,000
 * @param timePerTransaction how long one transaction reads. Default 2 seconds; the store ends it
 *     after 5
 * @param recordsPerSecond the largest number of records a second of all workers together. Default
 *     0, no limit
 * @param retriesMax how often a batch is retried in a row. Default 100
 * @param start what to do with an index whose build has begun or finished
 * @param listener gets the progress, about every 50 ms and at the end, in the thread that calls
 *     {@link OnlineIndexer#build}. An exception that it throws ends the build
 */
public record BuildOptions(
    List<String> indexes,
    int workers,
    int recordsPerTransaction,
    int bytesPerTransaction,
    Duration timePerTransaction,
    int recordsPerSecond,
    int retriesMax,
    Start start,
    Consumer<BuildProgress> listener) {
  /** The default options. */
  public static final BuildOptions DEFAULTS =
      new BuildOptions(
          List.of(), 2, 10_000, 900_000, Duration.ofSeconds(2), 0, 100, Start.RESUME, p -> {});

  /** What to do with an index whose build has begun or finished. */
  public enum Start {
    /** Resume where an earlier build ended; leave a readable index as it is. */
    RESUME,
    /** Erase it first. It cannot be read until it is built. */
    ANEW
  }

  /** Checks the values. */
  public BuildOptions {
    indexes = List.copyOf(indexes);
    if (workers < 1 || recordsPerTransaction < 1 || bytesPerTransaction < 1) {
      throw new IllegalArgumentException(
          "workers is %,d, recordsPerTransaction %,d, bytesPerTransaction %,d; all must be positive"
              .formatted(workers, recordsPerTransaction, bytesPerTransaction));
    }
    if (recordsPerSecond < 0 || retriesMax < 0) {
      throw new IllegalArgumentException(
          "recordsPerSecond is %,d and retriesMax %,d; neither may be negative"
              .formatted(recordsPerSecond, retriesMax));
    }
    if (timePerTransaction.isNegative() || timePerTransaction.isZero()) {
      throw new IllegalArgumentException(
          "timePerTransaction is " + timePerTransaction + "; it must be positive");
    }
  }

  /** These options with other indexes. */
  public BuildOptions withIndexes(String... names) {
    return new BuildOptions(
        List.of(names),
        workers,
        recordsPerTransaction,
        bytesPerTransaction,
        timePerTransaction,
        recordsPerSecond,
        retriesMax,
        start,
        listener);
  }

  /** These options with another number of threads. */
  public BuildOptions withWorkers(int threads) {
    return new BuildOptions(
        indexes,
        threads,
        recordsPerTransaction,
        bytesPerTransaction,
        timePerTransaction,
        recordsPerSecond,
        retriesMax,
        start,
        listener);
  }

  /** These options with another number of records a transaction. */
  public BuildOptions withRecordsPerTransaction(int records) {
    return new BuildOptions(
        indexes,
        workers,
        records,
        bytesPerTransaction,
        timePerTransaction,
        recordsPerSecond,
        retriesMax,
        start,
        listener);
  }

  /** These options with another number of bytes a transaction. */
  public BuildOptions withBytesPerTransaction(int bytes) {
    return new BuildOptions(
        indexes,
        workers,
        recordsPerTransaction,
        bytes,
        timePerTransaction,
        recordsPerSecond,
        retriesMax,
        start,
        listener);
  }

  /** These options with another time a transaction. */
  public BuildOptions withTimePerTransaction(Duration time) {
    return new BuildOptions(
        indexes,
        workers,
        recordsPerTransaction,
        bytesPerTransaction,
        time,
        recordsPerSecond,
        retriesMax,
        start,
        listener);
  }

  /** These options with another number of records a second; 0 for no limit. */
  public BuildOptions withRecordsPerSecond(int records) {
    return new BuildOptions(
        indexes,
        workers,
        recordsPerTransaction,
        bytesPerTransaction,
        timePerTransaction,
        records,
        retriesMax,
        start,
        listener);
  }

  /** These options with another number of retries. */
  public BuildOptions withRetriesMax(int retries) {
    return new BuildOptions(
        indexes,
        workers,
        recordsPerTransaction,
        bytesPerTransaction,
        timePerTransaction,
        recordsPerSecond,
        retries,
        start,
        listener);
  }

  /** These options with another treatment of existing indexes. */
  public BuildOptions withStart(Start other) {
    return new BuildOptions(
        indexes,
        workers,
        recordsPerTransaction,
        bytesPerTransaction,
        timePerTransaction,
        recordsPerSecond,
        retriesMax,
        other,
        listener);
  }

  /** These options with another listener. */
  public BuildOptions withListener(Consumer<BuildProgress> other) {
    return new BuildOptions(
        indexes,
        workers,
        recordsPerTransaction,
        bytesPerTransaction,
        timePerTransaction,
        recordsPerSecond,
        retriesMax,
        start,
        other);
  }
}
