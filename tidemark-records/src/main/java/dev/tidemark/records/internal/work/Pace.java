package dev.tidemark.records.internal.work;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;

/** A rate limit on the records a second of all workers of a build together. */
public final class Pace {
  private static final long SECOND = 1_000_000_000;

  private final TimeSource time;
  private final long nanosPerRecord;

  /** The time until which the processed records have used up the rate. Guarded by this. */
  private long paidUntil;

  /**
   * @param recordsPerSecond 0 for no limit
   */
  public Pace(TimeSource time, int recordsPerSecond) {
    this.time = time;
    this.nanosPerRecord = recordsPerSecond == 0 ? 0 : SECOND / recordsPerSecond;
    this.paidUntil = time.nanos();
  }

  /** Waits until {@code records} more are within the rate. */
  public void pay(long records) throws InterruptedException {
    long wait = nanosPerRecord == 0 ? 0 : reserve(records);
    if (wait > 0) {
      time.sleep(Duration.ofNanos(wait));
    }
  }

  private synchronized long reserve(long records) {
    long now = time.nanos();
    paidUntil = Math.max(paidUntil, now) + records * nanosPerRecord;
    return paidUntil - now;
  }
}
