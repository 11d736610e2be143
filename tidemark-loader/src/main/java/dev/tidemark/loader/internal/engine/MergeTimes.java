package dev.tidemark.loader.internal.engine;

import java.time.Duration;

/**
 * How long merges took, in buckets of which eight make a doubling. Guarded by the counters' lock.
 */
final class MergeTimes {
  private static final int SUB_BITS = 3;
  private static final int SUB = 1 << SUB_BITS;

  private final long[] buckets = new long[(Long.SIZE - SUB_BITS) * SUB];
  private long count;
  private long total;
  private long max;

  void add(long nanos) {
    long value = Math.max(nanos, 0);
    buckets[bucket(value)]++;
    count++;
    total += value;
    max = Math.max(max, value);
  }

  Duration total() {
    return Duration.ofNanos(total);
  }

  Duration max() {
    return Duration.ofNanos(max);
  }

  /** What {@code share} of the merges stayed below, within an eighth; zero without merges. */
  Duration below(double share) {
    long wanted = (long) Math.ceil(count * share);
    long seen = 0;
    for (int i = 0; i < buckets.length; i++) {
      seen += buckets[i];
      if (wanted > 0 && seen >= wanted) {
        return Duration.ofNanos(Math.min(upper(i), max));
      }
    }
    return Duration.ZERO;
  }

  private static int bucket(long value) {
    if (value < SUB) {
      return (int) value;
    }
    int shift = Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(value);
    return (shift + 1) * SUB + (int) ((value >>> shift) & (SUB - 1));
  }

  private static long upper(int bucket) {
    if (bucket < SUB) {
      return bucket;
    }
    int shift = bucket / SUB - 1;
    return (((long) SUB + bucket % SUB + 1) << shift) - 1;
  }
}
