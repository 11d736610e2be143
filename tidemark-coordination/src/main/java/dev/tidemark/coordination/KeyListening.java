package dev.tidemark.coordination;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Watch;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls a listener whenever the value of one key may have changed. The watch stands before the
 * listener is called, so that no change falls between two of them.
 */
public final class KeyListening implements AutoCloseable {
  /** A watch is replaced after this time, in case the store has lost it. */
  private static final Duration WATCH_FOR = Duration.ofSeconds(10);

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);

  private static final System.Logger LOG = System.getLogger("dev.tidemark.coordination");

  private final Database database;
  private final Key key;
  private final Runnable listener;

  private volatile boolean closed;
  private volatile @Nullable Watch watch;
  private @Nullable Thread thread;

  private KeyListening(Database database, Key key, Runnable listener) {
    this.database = database;
    this.key = key;
    this.listener = listener;
  }

  /**
   * Calls {@code listener} once at the beginning and after each change of {@code key}, on a virtual
   * thread called {@code name}. Several changes may be one call. The listener passes the work on
   * and returns at once; what it throws is logged, and it is called again after a pause.
   */
  public static KeyListening start(Database database, Key key, String name, Runnable listener) {
    KeyListening listening = new KeyListening(database, key, listener);
    listening.thread = Thread.ofVirtual().name(name).unstarted(listening::run);
    listening.thread.start();
    return listening;
  }

  private void run() {
    while (!closed) {
      try (Watch standing = stand()) {
        watch = standing;
        if (closed) {
          return;
        }
        listener.run();
        standing.await(WATCH_FOR);
      } catch (InterruptedOperationException interrupt) {
        // By the end, or the listener has left it behind, which is no reason not to call it again.
        Thread.interrupted();
      } catch (DatabaseException failure) {
        if (!closed && !pause()) {
          return;
        }
      } catch (Throwable failure) {
        if (closed) {
          return;
        }
        LOG.log(Level.WARNING, "A listener failed; it is called again in a moment", failure);
        if (!pause()) {
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

  /** Waits before another attempt; returns whether there is one. */
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
