package dev.tidemark.records.changes;

import java.time.Duration;

/**
 * When {@link ChangeLog#balance} splits and merges partitions.
 *
 * @param splitAbove a partition with more changes a second is split. Default 2,000
 * @param mergeBelow two neighbours that have fewer changes a second together are merged. Default 0:
 *     none are
 * @param window the time over which changes are counted. Default ten seconds
 * @param coolDown how long a partition is left alone after it began. Default one minute
 * @param partitionsMax how many active partitions there are at most. Default 64
 */
public record PartitionBalance(
    int splitAbove, int mergeBelow, Duration window, Duration coolDown, int partitionsMax) {
  /** What applies where nothing else is said. */
  public static final PartitionBalance DEFAULTS =
      new PartitionBalance(2_000, 0, Duration.ofSeconds(10), Duration.ofMinutes(1), 64);

  /** Refuses values that make no sense. */
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

  /** The same with another number of changes a second above which a partition is split. */
  public PartitionBalance withSplitAbove(int changes) {
    return new PartitionBalance(changes, mergeBelow, window, coolDown, partitionsMax);
  }

  /** The same with another number of changes a second below which neighbours are merged. */
  public PartitionBalance withMergeBelow(int changes) {
    return new PartitionBalance(splitAbove, changes, window, coolDown, partitionsMax);
  }

  /** The same with another time over which changes are counted. */
  public PartitionBalance withWindow(Duration time) {
    return new PartitionBalance(splitAbove, mergeBelow, time, coolDown, partitionsMax);
  }

  /** The same with another time for which a partition is left alone. */
  public PartitionBalance withCoolDown(Duration time) {
    return new PartitionBalance(splitAbove, mergeBelow, window, time, partitionsMax);
  }

  /** The same with another largest number of partitions. */
  public PartitionBalance withPartitionsMax(int partitions) {
    return new PartitionBalance(splitAbove, mergeBelow, window, coolDown, partitions);
  }
}
