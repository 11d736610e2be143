package dev.tidemark.embedded.internal;

import dev.tidemark.embedded.internal.common.EngineCounters;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import java.time.Duration;

/*
 * A batch transaction is charged for the time that it was open, and the next one begins when the
 * charge is paid: as if all of them shared a quarter of the processors. The charge counts only
 * while other transactions are at work, measured by how many of them were opened lately.
 */

/** Delays transactions of low priority while many others are opened. */
final class BatchGate {
  /**
   * The number of other transactions a second, for each processor, from which batch transactions
   * are delayed.
   */
  private static final double BUSY_A_SECOND = 500;

  private static final double SHARE = 0.25;

  private static final long LOOK_AGAIN_NANOS = 20_000_000;

  /** The bound of every wait, and of the charge that is left. */
  private static final long LONGEST_NANOS = 5_000_000_000L;

  private final EngineCounters counters;
  private final TimeSource time;
  private final int processors;

  // Guarded by this.
  private long batchesOpened;
  private long othersSeen;
  private long seenNanos;
  private boolean busy;
  private long paidUntil;

  BatchGate(EngineCounters counters, TimeSource time, int processors) {
    this.counters = counters;
    this.time = time;
    this.processors = processors;
    this.seenNanos = time.nanos();
    this.paidUntil = seenNanos;
  }

  /**
   * Waits until a batch transaction may be opened.
   *
   * @param timeout the longest wait; zero for no limit
   * @param check throws when the wait has become pointless
   */
  void enter(Duration timeout, Runnable check) {
    long most = timeout.isZero() ? LONGEST_NANOS : Math.min(timeout.toNanos(), LONGEST_NANOS);
    long until = time.nanos() + most;
    long wait = untilPaid();
    while (wait > 0 && time.nanos() < until) {
      sleep(Math.min(wait, LOOK_AGAIN_NANOS));
      check.run();
      wait = untilPaid();
    }
  }

  /** A batch transaction that has waited was opened. */
  synchronized void opened() {
    batchesOpened++;
  }

  /** A batch transaction that was opened at {@code openedNanos} has ended. */
  synchronized void left(long openedNanos) {
    long now = time.nanos();
    look(now);
    long charged = (long) ((now - openedNanos) / (SHARE * processors));
    paidUntil =
        busy ? Math.min(Math.max(paidUntil, openedNanos) + charged, now + LONGEST_NANOS) : now;
  }

  /** Nanoseconds for which a batch transaction has to wait; zero or less for none. */
  private synchronized long untilPaid() {
    long now = time.nanos();
    look(now);
    return busy ? paidUntil - now : 0;
  }

  private void look(long now) {
    long elapsed = now - seenNanos;
    if (elapsed >= LOOK_AGAIN_NANOS) {
      long others = counters.openedTransactions() - batchesOpened;
      busy = (others - othersSeen) * 1e9 / elapsed >= BUSY_A_SECOND * processors;
      othersSeen = others;
      seenNanos = now;
    }
  }

  private void sleep(long nanos) {
    try {
      time.sleep(Duration.ofNanos(nanos));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while a batch transaction gave way to others", interrupt);
    }
  }
}
