package dev.tidemark.embedded.internal.common;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What an engine counts while it works. */
public final class EngineCounters {
  /** Buckets a power of two, so that a bucket is at most a quarter wider than it is high. */
  private static final int BUCKETS_A_DOUBLING = 4;

  private final LongAdder commits = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder tooOld = new LongAdder();
  private final LongAdder groups = new LongAdder();
  private final AtomicLong largestGroup = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final AtomicLongArray latencies = new AtomicLongArray(64 * BUCKETS_A_DOUBLING);
  private final LongAdder opened = new LongAdder();
  private final LongAdder closed = new LongAdder();

  public void conflict() {
    conflicts.increment();
  }

  public void tooOld() {
    tooOld.increment();
  }

  /** A group was carried out in {@code nanos}, {@code committed} of its commits with success. */
  public void group(int size, int committed, long nanos) {
    if (committed == 0) {
      return; // Nothing went to the disk.
    }
    groups.increment();
    commits.add(committed);
    largestGroup.accumulateAndGet(size, Math::max);
    slowestNanos.accumulateAndGet(nanos, Math::max);
    latencies.incrementAndGet(bucket(nanos));
  }

  public void transactionOpened() {
    opened.increment();
  }

  public void transactionClosed() {
    closed.increment();
  }

  public long commits() {
    return commits.sum();
  }

  public long conflicts() {
    return conflicts.sum();
  }

  public long tooOldCommits() {
    return tooOld.sum();
  }

  public long groups() {
    return groups.sum();
  }

  public long largestGroup() {
    return largestGroup.get();
  }

  public long slowestNanos() {
    return slowestNanos.get();
  }

  /** Transactions that were ever opened. */
  public long openedTransactions() {
    return opened.sum();
  }

  public long openTransactions() {
    long ended = closed.sum(); // Read first: a transaction that ends in between was opened before.
    return opened.sum() - ended;
  }

  /** The time within which {@code share} of all groups were carried out, to about a quarter. */
  public long latencyNanos(double share) {
    long all = 0;
    for (int i = 0; i < latencies.length(); i++) {
      all += latencies.get(i);
    }
    long wanted = (long) Math.ceil(all * share);
    long seen = 0;
    for (int i = 0; i < latencies.length(); i++) {
      seen += latencies.get(i);
      if (seen >= wanted && seen > 0) {
        return upperBound(i);
      }
    }
    return 0;
  }

  private static int bucket(long nanos) {
    long value = Math.max(BUCKETS_A_DOUBLING, nanos);
    int doubling = 63 - Long.numberOfLeadingZeros(value);
    int part = (int) (value >>> (doubling - 2)) & (BUCKETS_A_DOUBLING - 1);
    return doubling * BUCKETS_A_DOUBLING + part;
  }

  private static long upperBound(int bucket) {
    int doubling = bucket / BUCKETS_A_DOUBLING;
    int part = bucket % BUCKETS_A_DOUBLING;
    return ((long) (BUCKETS_A_DOUBLING + part + 1)) << (doubling - 2);
  }
}
