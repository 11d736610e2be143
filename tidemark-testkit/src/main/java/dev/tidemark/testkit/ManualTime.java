package dev.tidemark.testkit;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that stands still until it is moved by hand.
 *
 * <p>Both readings move together. A thread that sleeps on the clock wakes when {@link #advance}
 * passes its end; {@link #awaitSleepers} lets a test wait until a thread has got that far. A {@link
 * #selfAdvancing} clock needs no hand: each sleep moves it on by itself and returns at once, so
 * that pauses between attempts cost no time.
 */
public final class ManualTime implements TimeSource {
  private static final long START_MICROS = 1_700_000_000_000_000L;
  private static final long SEED = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final boolean selfAdvancing;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final SplittableRandom chance = new SplittableRandom(SEED);
  private long nanos;
  private int sleepers;

  private ManualTime(boolean selfAdvancing) {
    this.selfAdvancing = selfAdvancing;
  }

  /** A clock that moves only by {@link #advance}. */
  public static ManualTime standing() {
    return new ManualTime(false);
  }

  /** A clock that each sleep moves on by its length. */
  public static ManualTime selfAdvancing() {
    return new ManualTime(true);
  }

  @Override
  public long wallMicros() {
    return START_MICROS + nanos() / 1_000;
  }

  @Override
  public long nanos() {
    lock.lock();
    try {
      return nanos;
    } finally {
      lock.unlock();
    }
  }

  /** The same numbers in every run. */
  @Override
  public double chance() {
    lock.lock();
    try {
      return chance.nextDouble();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (selfAdvancing) {
      if (Thread.interrupted()) {
        throw new InterruptedException("Interrupted before a sleep of " + duration);
      }
      advance(duration);
      return;
    }
    lock.lockInterruptibly();
    try {
      long end = nanos + duration.toNanos();
      sleepers++;
      changed.signalAll();
      try {
        while (nanos < end) {
          changed.await();
        }
      } finally {
        sleepers--;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Moves the clock on by {@code duration} and wakes the sleepers whose time has come. */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("The clock cannot go back by " + duration);
    }
    lock.lock();
    try {
      nanos += duration.toNanos();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until {@code count} threads sleep on this clock.
   *
   * @throws TimeoutException if they do not within half a minute of real time
   */
  public void awaitSleepers(int count) throws InterruptedException, TimeoutException {
    long left = PATIENCE.toNanos();
    lock.lockInterruptibly();
    try {
      while (sleepers < count) {
        if (left <= 0) {
          throw new TimeoutException(
              "%d threads sleep on the clock; %d were expected within %d s"
                  .formatted(sleepers, count, TimeUnit.NANOSECONDS.toSeconds(PATIENCE.toNanos())));
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
