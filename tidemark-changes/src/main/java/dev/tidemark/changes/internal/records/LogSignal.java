package dev.tidemark.changes.internal.records;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Watch;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the cursors of one log when something was committed to it: one watch for all of them, and
 * one thread while there are cursors. A cursor notes the round before it reads and waits for
 * another one only if it found nothing, so no commit is missed.
 */
public final class LogSignal {
  private static final Duration WATCH = Duration.ofSeconds(2);
  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

  private final ChangeLog log;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition fired = lock.newCondition();

  /** Changed under the lock, and read without it before each read of the log. */
  private final AtomicLong round = new AtomicLong();

  // Guarded by lock.
  private int cursors;
  private @Nullable Thread listener;

  /** A signal for {@code log} that has no thread yet. */
  public LogSignal(ChangeLog log, TimeSource time) {
    this.log = log;
    this.time = time;
  }

  /** A cursor has been opened. */
  void join() {
    lock.lock();
    try {
      if (cursors++ == 0) {
        listener = Thread.ofVirtual().name("changes-log-signal").start(this::listen);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A cursor was closed; the last one ends the thread. */
  void leave() {
    lock.lock();
    try {
      if (--cursors == 0 && listener != null) {
        listener.interrupt();
        listener = null;
      }
    } finally {
      lock.unlock();
    }
  }

  long round() {
    return round.get();
  }

  /** Waits until the round is another than {@code seen}, {@code wait} at most. */
  void await(long seen, Duration wait) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = wait.toNanos();
      while (round.get() == seen && left > 0) {
        left = fired.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes everybody. */
  void fire() {
    lock.lock();
    try {
      round.incrementAndGet();
      fired.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isCurrent() {
    lock.lock();
    try {
      return Thread.currentThread().equals(listener);
    } finally {
      lock.unlock();
    }
  }

  private void listen() {
    while (isCurrent()) {
      try {
        listenOnce();
      } catch (DatabaseException | ChangeLogException failure) {
        // Cursors meet the same failure when they read, and tell the reader.
        fire();
        pause();
      } catch (Throwable failure) {
        System.getLogger("dev.tidemark.changes")
            .log(System.Logger.Level.ERROR, "Cursors are woken by time alone", failure);
        fire();
        pause();
      }
    }
  }

  /** What was committed before the watch began is read now; what comes later fires it. */
  private void listenOnce() {
    try (Watch watch = log.watch()) {
      fire();
      while (isCurrent() && !watch.await(WATCH)) {
        fire();
      }
    }
  }

  private void pause() {
    try {
      time.sleep(AFTER_FAILURE);
    } catch (InterruptedException closed) {
      // Only leave interrupts this thread, which then ends.
      Thread.currentThread().interrupt();
    }
  }
}
