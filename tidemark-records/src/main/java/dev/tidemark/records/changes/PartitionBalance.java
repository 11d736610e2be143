package dev.tidemark.records.changes;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When {@link ChangeLog#balance} splits and merges partitions. */
public final class PartitionBalance {
  /** What applies where nothing else is said. */
  public static final PartitionBalance DEFAULTS =
      new PartitionBalance(2_000, 0, Duration.ofSeconds(10), Duration.ofMinutes(1), 64);

  private final int splitAbove;
  private final int mergeBelow;
  private final Duration window;
  private final Duration coolDown;
  private final int partitionsMax;

  private PartitionBalance(
      int splitAbove, int mergeBelow, Duration window, Duration coolDown, int partitionsMax) {
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
    this.splitAbove = splitAbove;
    this.mergeBelow = mergeBelow;
    this.window = window;
    this.coolDown = coolDown;
    this.partitionsMax = partitionsMax;
  }

  /** A partition with more changes a second is split. Default 2,000. */
  public int splitAbove() {
    return splitAbove;
  }

  /** Two neighbours that have fewer changes a second together are merged. Default 0: none are. */
  public int mergeBelow() {
    return mergeBelow;
  }

  /** The time over which changes are counted. Default ten seconds. */
  public Duration window() {
    return window;
  }

  /** How long a partition is left alone after it began. Default one minute. */
  public Duration coolDown() {
    return coolDown;
  }

  /** How many active partitions there are at most. Default 64. */
  public int partitionsMax() {
    return partitionsMax;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PartitionBalance that
        && splitAbove == that.splitAbove
        && mergeBelow == that.mergeBelow
        && Objects.equals(window, that.window)
        && Objects.equals(coolDown, that.coolDown)
        && partitionsMax == that.partitionsMax;
  }

  @Override
  public int hashCode() {
    return Objects.hash(splitAbove, mergeBelow, window, coolDown, partitionsMax);
  }

  @Override
  public String toString() {
    return "PartitionBalance["
        + "splitAbove="
        + splitAbove
        + ", mergeBelow="
        + mergeBelow
        + ", window="
        + window
        + ", coolDown="
        + coolDown
        + ", partitionsMax="
        + partitionsMax
        + "]";
  }
}
