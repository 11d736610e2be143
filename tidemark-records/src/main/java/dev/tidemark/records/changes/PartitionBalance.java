package dev.tidemark.records.changes;

import java.time.Duration;

/**
 * The thresholds at which {@link ChangeLog#balance} splits and merges partitions.
 *
 * @param splitAbove changes a second above which a partition is split. Default 2,000
 * @param mergeBelow changes a second below which two adjacent partitions together are merged.
 *     Default 0: never
 * @param window the time over which changes are counted. Default ten seconds
 * @param coolDown how long a new partition is neither split nor merged. Default one minute
 * @param partitionsMax the largest number of active partitions. Default 64
 */
public record PartitionBalance(
    int splitAbove, int mergeBelow, Duration window, Duration coolDown, int partitionsMax) {
  /** The default options. */
  public static final PartitionBalance DEFAULTS =
      new PartitionBalance(2_000, 0, Duration.ofSeconds(10), Duration.ofMinutes(1), 64);

  /** Checks the values. */
  public PartitionBalance {
    if (splitAbove < 1 || mergeBelow < 0 || mergeBelow >= splitAbove || partitionsMax < 1) {
      throw new IllegalArgumentException(
          "splitAbove is %,d, mergeBelow %,d and partitionsMax %,d; the first and the last must be positive, and mergeBelow less than splitAbove"
              .formatted(splitAbove, mergeBelow, partitionsMax));
    }
    if (!window.isPositive() || coolDown.isNegative()) {
      throw new IllegalArgumentException(
          "window is %s and coolDown %s; the first must be positive, the second not negative"
              .formatted(window, coolDown));
    }
  }

  /** These thresholds with another number of changes a second above which a partition is split. */
  public PartitionBalance withSplitAbove(int changes) {
    return new PartitionBalance(changes, mergeBelow, window, coolDown, partitionsMax);
  }

  /** These thresholds with another number of changes a second below which neighbours are merged. */
  public PartitionBalance withMergeBelow(int changes) {
    return new PartitionBalance(splitAbove, changes, window, coolDown, partitionsMax);
  }

  /** These thresholds with another time over which changes are counted. */
  public PartitionBalance withWindow(Duration time) {
    return new PartitionBalance(splitAbove, mergeBelow, time, coolDown, partitionsMax);
  }

  /** These thresholds with another time for which a new partition stays as it is. */
  public PartitionBalance withCoolDown(Duration time) {
    return new PartitionBalance(splitAbove, mergeBelow, window, time, partitionsMax);
  }

  /** These thresholds with another largest number of partitions. */
  public PartitionBalance withPartitionsMax(int partitions) {
    return new PartitionBalance(splitAbove, mergeBelow, window, coolDown, partitions);
  }
}
