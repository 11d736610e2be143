package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Watch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls a listener whenever the value of one key may have changed. The watch stands before the
 * listener is called, so that no change falls between two of them.
 */
final class KvListening implements Runnable, AutoCloseable {
  /** A watch is made anew after this time, should the store have forgotten it. */
  private static final Duration WATCH_FOR = Duration.ofSeconds(10);

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);

  private final Database database;
  private final Key key;
  private final Runnable listener;

  private volatile boolean closed;
  private volatile @Nullable Watch watch;
  private volatile @Nullable Thread thread;

  KvListening(Database database, Key key, Runnable listener) {
    this.database = database;
    this.key = key;
    this.listener = listener;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    while (!closed) {
      try (Watch standing = stand()) {
        watch = standing;
        if (closed) {
          return;
        }
        listener.run();
        standing.await(WATCH_FOR);
      } catch (InterruptedOperationException ended) {
        return;
      } catch (DatabaseException failure) {
        if (!closed && !pause()) {
          return;
        }
      }
    }
  }

  private Watch stand() {
    try (Transaction tx = database.begin()) {
      Watch standing = tx.watch(key);
      tx.commit();
      return standing;
    }
  }

  /** Waits before another try; whether there is to be one. */
  private boolean pause() {
    try {
      database.time().sleep(PAUSE_AFTER_FAILURE);
      return true;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    Watch standing = watch;
    if (standing != null) {
      standing.close();
    }
    Thread running = thread;
    if (running != null) {
      Threads.end(running);
    }
  }
}
