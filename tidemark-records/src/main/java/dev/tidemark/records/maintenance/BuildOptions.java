package dev.tidemark.records.maintenance;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How an {@link OnlineIndexer} builds. */
public final class BuildOptions {
  /** What applies where nothing else is said. */
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

  private final List<String> indexes;
  private final int workers;
  private final int recordsPerTransaction;
  private final int bytesPerTransaction;
  private final Duration timePerTransaction;

  /** 0 for no limit. */
  private final int recordsPerSecond;

  private final int retriesMax;
  private final Start start;
  private final Consumer<BuildProgress> listener;

  private BuildOptions(
      List<String> indexes,
      int workers,
      int recordsPerTransaction,
      int bytesPerTransaction,
      Duration timePerTransaction,
      int recordsPerSecond,
      int retriesMax,
      Start start,
      Consumer<BuildProgress> listener) {
    indexes = List.copyOf(indexes);
    if (workers < 1 || recordsPerTransaction < 1 || bytesPerTransaction < 1) {
      throw UsageException.invalidOption(
          "workers is %,d, recordsPerTransaction %,d, bytesPerTransaction %,d; all must be positive"
              .formatted(workers, recordsPerTransaction, bytesPerTransaction));
    }
    if (retriesMax < 0) {
      throw UsageException.invalidOption(
          "retriesMax is %,d; it must not be negative".formatted(retriesMax));
    }
    if (timePerTransaction.isNegative() || timePerTransaction.isZero()) {
      throw UsageException.invalidOption(
          "timePerTransaction is " + timePerTransaction + "; it must be positive");
    }
    this.indexes = indexes;
    this.workers = workers;
    this.recordsPerTransaction = recordsPerTransaction;
    this.bytesPerTransaction = bytesPerTransaction;
    this.timePerTransaction = timePerTransaction;
    this.recordsPerSecond = recordsPerSecond;
    this.retriesMax = retriesMax;
    this.start = start;
    this.listener = listener;
  }

  /** The names of the indexes to build, all of one type. One scan feeds all of them. */
  public List<String> indexes() {
    return indexes;
  }

  /** How many threads build. Default 2; each has one transaction at a time. */
  public int workers() {
    return workers;
  }

  /**
   * Most records of one transaction. Default 10,000. Fewer make writers and builder conflict less
   * often; after a conflict the builder itself takes fewer for a while.
   */
  public int recordsPerTransaction() {
    return recordsPerTransaction;
  }

  /** Most bytes that one transaction writes. Default 900,000. */
  public int bytesPerTransaction() {
    return bytesPerTransaction;
  }

  /** How long one transaction reads. Default 2 seconds; the store ends it after 5. */
  public Duration timePerTransaction() {
    return timePerTransaction;
  }

  /** Most records a second of all workers together; empty for no limit, the default. */
  public OptionalInt recordsPerSecond() {
    return recordsPerSecond == 0 ? OptionalInt.empty() : OptionalInt.of(recordsPerSecond);
  }

  /** How often one batch is tried again in a row. Default 100. */
  public int retriesMax() {
    return retriesMax;
  }

  /** What to do with an index that has been begun or finished already. */
  public Start start() {
    return start;
  }

  /**
   * Is shown the progress, about every 50 ms and at the end, by the thread that calls {@link
   * OnlineIndexer#build}. What it throws ends the build.
   */
  public Consumer<BuildProgress> listener() {
    return listener;
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

  /** These options with another number of records a second. */
  public BuildOptions withRecordsPerSecond(int records) {
    if (records < 1) {
      throw UsageException.invalidOption(
          "recordsPerSecond is %,d; it must be positive".formatted(records));
    }
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BuildOptions that
        && Objects.equals(indexes, that.indexes)
        && workers == that.workers
        && recordsPerTransaction == that.recordsPerTransaction
        && bytesPerTransaction == that.bytesPerTransaction
        && Objects.equals(timePerTransaction, that.timePerTransaction)
        && recordsPerSecond == that.recordsPerSecond
        && retriesMax == that.retriesMax
        && Objects.equals(start, that.start)
        && Objects.equals(listener, that.listener);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        indexes,
        workers,
        recordsPerTransaction,
        bytesPerTransaction,
        timePerTransaction,
        recordsPerSecond,
        retriesMax,
        start,
        listener);
  }

  @Override
  public String toString() {
    return "BuildOptions["
        + "indexes="
        + indexes
        + ", workers="
        + workers
        + ", recordsPerTransaction="
        + recordsPerTransaction
        + ", bytesPerTransaction="
        + bytesPerTransaction
        + ", timePerTransaction="
        + timePerTransaction
        + ", recordsPerSecond="
        + recordsPerSecond
        + ", retriesMax="
        + retriesMax
        + ", start="
        + start
        + ", listener="
        + listener
        + "]";
  }
}
