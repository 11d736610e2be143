package dev.tidemark.partitions.internal.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many requests a partition had in the last minute, and how long they took. Threads count
 * without waiting for each other, so a count may be lost where two begin the same second.
 */
final class LoadMeter {
  private static final int SECONDS = 60;

  /** Four classes for each doubling, from a microsecond to half an hour. */
  private static final int CLASSES = 128;

  private final long startNanos;
  private final AtomicLongArray seconds = new AtomicLongArray(SECONDS);
  private final AtomicLongArray counts = new AtomicLongArray(SECONDS);

  /** Of this minute and of the previous one, so that old latencies disappear. */
  private final AtomicLongArray[] latencies = {
    new AtomicLongArray(CLASSES), new AtomicLongArray(CLASSES)
  };

  private volatile long minute;

  LoadMeter(long nowNanos) {
    this.startNanos = nowNanos;
  }

  /** Counts a request that began at {@code beginNanos} and has ended now. */
  void count(long beginNanos, long nowNanos) {
    long second = second(nowNanos);
    int slot = (int) (second % SECONDS);
    if (seconds.get(slot) != second) {
      seconds.set(slot, second);
      counts.set(slot, 0);
    }
    counts.lazySet(slot, counts.get(slot) + 1);
    AtomicLongArray histogram = histogram(second / SECONDS);
    int latency = latencyClass(nowNanos - beginNanos);
    histogram.lazySet(latency, histogram.get(latency) + 1);
  }

  private AtomicLongArray histogram(long now) {
    AtomicLongArray histogram = latencies[(int) (now % 2)];
    if (now != minute) {
      minute = now;
      for (int i = 0; i < CLASSES; i++) {
        histogram.set(i, 0);
      }
    }
    return histogram;
  }

  /** Requests a second over the last minute, or over the time there was. */
  double perSecond(long nowNanos) {
    long now = second(nowNanos);
    long sum = 0;
    for (int i = 0; i < SECONDS; i++) {
      if (now - seconds.get(i) < SECONDS) {
        sum += counts.get(i);
      }
    }
    return (double) sum / Math.min(SECONDS, now + 1);
  }

  /** A time that this share of the requests of the last minute or two did not exceed. */
  Duration latency(double share) {
    long[] sums = new long[CLASSES];
    long all = 0;
    for (int i = 0; i < CLASSES; i++) {
      sums[i] = latencies[0].get(i) + latencies[1].get(i);
      all += sums[i];
    }
    long below = 0;
    for (int i = 0; i < CLASSES && all > 0; i++) {
      below += sums[i];
      if (below >= share * all) {
        return Duration.ofNanos((long) (1_000 * Math.pow(2, (i + 1) / 4.0)));
      }
    }
    return Duration.ZERO;
  }

  private long second(long nowNanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nowNanos - startNanos);
  }

  private static int latencyClass(long nanos) {
    long micros = Math.max(1, nanos / 1_000);
    int power = 63 - Long.numberOfLeadingZeros(micros);
    int quarter = power < 2 ? 0 : (int) ((micros >> (power - 2)) & 3);
    return Math.min(CLASSES - 1, power * 4 + quarter);
  }
}
