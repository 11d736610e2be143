package dev.tidemark.changes.internal.records;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Watch;
import dev.tidemark.records.changes.ChangeLogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hears of commits to the logs of one database, and fires their signals.
 *
 * <p>The watches of a server are shared by all its clients, so a listener has a bounded number of
 * them. Logs beyond that are polled together, in one read of their keys. A log that is written to
 * gets a watch as soon as there is a free one, and a log that was not written to for a while gives
 * its watch up while others are polled. So the busy logs are prompt, and the many quiet ones cost
 * one read.
 *
 * <p>Locks: a signal calls the listener under the signal's lock; the listener never fires a signal
 * under its own.
 */
public final class LogListener {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.changes");

  /** How long a watch waits before its log is read anyway, and counts as quiet. */
  private static final Duration WATCH = Duration.ofSeconds(2);

  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration POLL_MAX = Duration.ofSeconds(2);

  /** The pause after a poll is this many times as long as the poll. */
  private static final int POLL_PAUSE_FACTOR = 20;

  private static final int KEYS_PER_READ = 1_000;

  /** What was seen of a log that has not been polled yet; all else has a byte. */
  private static final byte[] UNKNOWN = {};

  /** What is seen of a log without a commit. */
  private static final byte[] NOTHING = {0};

  private final Database database;
  private final TimeSource time;
  private final int watchesMax;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<LogSignal, Thread> watched = new HashMap<>();
  private final Map<LogSignal, byte[]> polled = new HashMap<>();
  private @Nullable Thread poller;

  /** A listener in {@code database} with {@code watchesMax} watches at most. */
  public LogListener(Database database, int watchesMax) {
    this.database = database;
    this.time = database.time();
    this.watchesMax = watchesMax;
  }

  /** Listens for {@code signal} from now on. */
  void join(LogSignal signal) {
    lock.lock();
    try {
      if (watched.size() < watchesMax) {
        watch(signal);
      } else {
        poll(signal);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread that nobody needs any more. */
  void leave(LogSignal signal) {
    lock.lock();
    try {
      Thread watcher = watched.remove(signal);
      if (watcher != null) {
        watcher.interrupt();
      }
      polled.remove(signal);
      Thread running = poller;
      if (polled.isEmpty() && running != null) {
        running.interrupt();
        poller = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives {@code signal} a watch. The caller holds the lock. */
  private void watch(LogSignal signal) {
    watched.put(signal, Thread.ofVirtual().name("changes-log-watch").start(() -> listen(signal)));
  }

  /** Has {@code signal} polled. The caller holds the lock. */
  private void poll(LogSignal signal) {
    polled.put(signal, UNKNOWN);
    if (poller == null) {
      poller = Thread.ofVirtual().name("changes-log-poll").start(this::listenToOthers);
    }
  }

  // ---- logs with a watch

  private void listen(LogSignal signal) {
    while (isWatched(signal)) {
      try {
        listenOnce(signal);
      } catch (DatabaseException | ChangeLogException failure) {
        // Cursors meet the same failure when they read, and tell the reader.
        signal.fire();
        pause(AFTER_FAILURE);
      } catch (Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, "Cursors are woken by time alone", failure);
        signal.fire();
        pause(AFTER_FAILURE);
      }
    }
  }

  private boolean isWatched(LogSignal signal) {
    lock.lock();
    try {
      return Thread.currentThread().equals(watched.get(signal));
    } finally {
      lock.unlock();
    }
  }

  /** What was committed before the watch began is read now; what comes later fires it. */
  private void listenOnce(LogSignal signal) {
    try (Watch watch = signal.log().watch()) {
      signal.fire();
      while (isWatched(signal) && !watch.await(WATCH)) {
        giveWay(signal);
        signal.fire();
      }
    }
  }

  /** A quiet log leaves its watch to those that have none. */
  private void giveWay(LogSignal signal) {
    lock.lock();
    try {
      if (!polled.isEmpty() && watched.remove(signal, Thread.currentThread())) {
        poll(signal);
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- the others

  private void listenToOthers() {
    while (isPoller()) {
      long began = time.nanos();
      try {
        lookAtOthers();
      } catch (DatabaseException failure) {
        // Cursors meet the same failure when they read, and tell the reader.
        others().forEach(LogSignal::fire);
      } catch (Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, "Cursors are woken by time alone", failure);
        others().forEach(LogSignal::fire);
      }
      Duration took = Duration.ofNanos(time.nanos() - began).multipliedBy(POLL_PAUSE_FACTOR);
      Duration pause = took.compareTo(POLL) < 0 ? POLL : took;
      pause(pause.compareTo(POLL_MAX) > 0 ? POLL_MAX : pause);
    }
  }

  private boolean isPoller() {
    lock.lock();
    try {
      return Thread.currentThread().equals(poller);
    } finally {
      lock.unlock();
    }
  }

  private List<LogSignal> others() {
    lock.lock();
    try {
      return List.copyOf(polled.keySet());
    } finally {
      lock.unlock();
    }
  }

  private void lookAtOthers() {
    List<LogSignal> others = others();
    for (int from = 0; from < others.size(); from += KEYS_PER_READ) {
      List<LogSignal> some = others.subList(from, Math.min(others.size(), from + KEYS_PER_READ));
      List<Key> keys = new ArrayList<>();
      some.forEach(signal -> keys.add(signal.log().newsKey()));
      Map<Key, byte[]> values = database.read(tx -> tx.getAll(keys));
      for (LogSignal signal : some) {
        byte[] value = values.get(signal.log().newsKey());
        if (isNews(signal, value == null ? NOTHING : value)) {
          signal.fire();
        }
      }
    }
  }

  /** Whether {@code value} is another one than before; a log with news gets a free watch. */
  private boolean isNews(LogSignal signal, byte[] value) {
    lock.lock();
    try {
      byte[] before = polled.get(signal);
      if (before == null || Arrays.equals(before, value)) {
        return false;
      }
      polled.put(signal, value);
      if (before.length > 0 && watched.size() < watchesMax) {
        polled.remove(signal);
        watch(signal);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void pause(Duration length) {
    try {
      time.sleep(length);
    } catch (InterruptedException closed) {
      // Only leave interrupts these threads, which then end.
      Thread.currentThread().interrupt();
    }
  }
}
