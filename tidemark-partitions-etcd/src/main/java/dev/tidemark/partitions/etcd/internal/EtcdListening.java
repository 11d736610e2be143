package dev.tidemark.partitions.etcd.internal;

import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls a listener whenever a key may have been put. A watch begins after the revision of a read,
 * so that no change between the two is missed.
 *
 * <p>The client resumes a watch by itself after an outage, although it reports an error. A watch is
 * created anew only if it was closed, for instance because its revision was compacted. Whatever
 * happens, the listener is called every few seconds.
 */
final class EtcdListening implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions.etcd");
  private static final long LOOK_SECONDS = 10;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Watch watches;
  private final EtcdCalls calls;
  private final ByteSequence key;
  private final TimeSource time;
  private final Runnable listener;
  private final Semaphore signal = new Semaphore(0);
  private volatile boolean closed;
  private @Nullable Thread thread;

  private EtcdListening(
      Watch watches, EtcdCalls calls, ByteSequence key, TimeSource time, Runnable listener) {
    this.watches = watches;
    this.calls = calls;
    this.key = key;
    this.time = time;
    this.listener = listener;
  }

  static EtcdListening start(
      Watch watches,
      EtcdCalls calls,
      ByteSequence key,
      TimeSource time,
      String name,
      Runnable listener) {
    EtcdListening listening = new EtcdListening(watches, calls, key, time, listener);
    listening.thread = Thread.ofVirtual().name(name).unstarted(listening::run);
    listening.thread.start();
    return listening;
  }

  private void run() {
    while (!closed) {
      try (Watch.Watcher watcher = watch()) {
        listen(watcher);
      } catch (InterruptedException | InterruptedOperationException end) {
        return;
      } catch (Throwable failure) {
        if (closed || !afterFailure(failure)) {
          return;
        }
      }
    }
  }

  private Watch.Watcher watch() {
    long now = calls.get(key, GetOption.DEFAULT).getHeader().getRevision();
    return watches.watch(
        key,
        WatchOption.builder().withRevision(now + 1).build(),
        Watch.listener(put -> signal.release(), error -> signal.release(), signal::release));
  }

  private void listen(Watch.Watcher watcher) throws InterruptedException {
    while (!closed && !watcher.isClosed()) {
      signal.drainPermits();
      listener.run();
      boolean told = signal.tryAcquire(LOOK_SECONDS, TimeUnit.SECONDS);
      LOG.log(Level.TRACE, "A listener looks again; told: {0}", told);
    }
  }

  /** Waits before another try; whether there is to be one. */
  private boolean afterFailure(Throwable failure) {
    LOG.log(Level.WARNING, "A listener failed; it is called again in a moment", failure);
    try {
      time.sleep(PAUSE);
      return true;
    } catch (InterruptedException end) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    signal.release();
    Thread running = thread;
    if (running != null) {
      Threads.end(running);
    }
  }
}
