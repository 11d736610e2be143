package dev.tidemark.node.internal.page;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The latest state and those who wait for the next one. States in between are skipped. */
final class LatestState {
  private static final long SIGN_OF_LIFE_SECONDS = 10;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final int watchersMax;

  // Guarded by lock.
  private Seen current = Seen.NOTHING;
  private int watchers;

  /**
   * What a watcher has been given.
   *
   * @param version its number
   * @param state the state
   * @param last whether no other one follows
   */
  record Seen(long version, String state, boolean last) {
    static final Seen NOTHING = new Seen(0, "", false);
  }

  LatestState(int watchersMax) {
    this.watchersMax = watchersMax;
  }

  int watchers() {
    lock.lock();
    try {
      return watchers;
    } finally {
      lock.unlock();
    }
  }

  /** Admits a watcher if there is room for one; an admitted watcher has to leave. */
  boolean enter() {
    lock.lock();
    try {
      if (watchers == watchersMax || current.last()) {
        return false;
      }
      watchers++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      watchers--;
    } finally {
      lock.unlock();
    }
  }

  void set(String state) {
    lock.lock();
    try {
      if (!current.last()) {
        current = new Seen(current.version() + 1, state, false);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A state after {@code seen}; the same again if none came for a while. */
  Seen after(Seen seen) throws InterruptedException {
    lock.lock();
    try {
      long nanos = TimeUnit.SECONDS.toNanos(SIGN_OF_LIFE_SECONDS);
      while (current.version() == seen.version() && !current.last() && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  /** Makes the current state the last one, and wakes the watchers, who take it and leave. */
  void close() {
    lock.lock();
    try {
      current = new Seen(current.version(), current.state(), true);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
