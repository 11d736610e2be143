package dev.tidemark.remote.internal.server;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Watch;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Fired;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.WatchKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The watches of one session. Each has a virtual thread that waits for it. */
final class ServedWatches {
  private static final Duration LOOK_AGAIN = Duration.ofHours(1);

  private final Database database;
  private final int limit;
  private final LongAdder count;
  private final Consumer<Reply> replies;
  private final ConcurrentHashMap<Long, Served> served = new ConcurrentHashMap<>();
  private volatile boolean closed;

  ServedWatches(Database database, int limit, LongAdder count, Consumer<Reply> replies) {
    this.database = database;
    this.limit = limit;
    this.count = count;
    this.replies = replies;
  }

  /**
   * Watches on behalf of request {@code id}. A second request with that number is the same one.
   * {@code compared} is run when the value that was seen is no longer held.
   */
  void add(long id, WatchKey request, Runnable compared) {
    boolean taken = false;
    try {
      if (served.size() >= limit && !served.containsKey(id)) {
        throw LimitExceededException.watches(limit);
      }
      Served watch = new Served(id, Wire.key(request.getKey()), seen(request));
      if (served.putIfAbsent(id, watch) == null) {
        count.increment();
        Thread.startVirtualThread(() -> watch.serve(compared));
        taken = true;
      }
    } finally {
      if (!taken) {
        compared.run();
      }
    }
  }

  private static byte @Nullable [] seen(WatchKey request) {
    return request.hasSeen() ? request.getSeen().toByteArray() : null;
  }

  void remove(long id) {
    Served watch = served.remove(id);
    if (watch != null) {
      count.decrement();
      watch.close();
    }
  }

  void closeAll() {
    closed = true;
    served.keySet().forEach(this::remove);
  }

  private final class Served {
    private final long id;
    private final Key key;

    /** Until it has been compared: it may be long, and the watch open for long. */
    private byte @Nullable [] seen;

    private volatile @Nullable Watch watch;

    Served(long id, Key key, byte @Nullable [] seen) {
      this.id = id;
      this.key = key;
      this.seen = seen;
    }

    void serve(Runnable compared) {
      Reply.Builder reply = Reply.newBuilder().setId(id);
      try {
        awaitChange(made(compared));
        answer(reply.setFired(Fired.getDefaultInstance()));
      } catch (RuntimeException failure) {
        answer(reply.setFailure(Failures.toWire(failure)));
      } catch (Error failure) {
        // Without an answer the client would wait for a change for ever.
        answer(reply.setFailure(Failures.toWire(failure)));
        throw failure;
      }
    }

    private void answer(Reply.Builder reply) {
      // First, because the client may request another watch in its place as soon as it gets the
      // reply.
      if (served.remove(id, this)) {
        count.decrement();
        replies.accept(reply.build());
      }
    }

    /** The watch; null if the value differs already. */
    private @Nullable Watch made(Runnable compared) {
      try (Transaction tx = database.begin()) {
        if (!Arrays.equals(seen, tx.snapshot().get(key).orElse(null))) {
          return null;
        }
        Watch made = held(tx.watch(key));
        tx.commit();
        return made;
      } finally {
        seen = null;
        compared.run();
      }
    }

    /** Shows the watch to who closes this one; closes it if that has happened before. */
    private Watch held(Watch made) {
      watch = made;
      if (closed || served.get(id) != this) {
        made.close();
      }
      return made;
    }

    private void awaitChange(@Nullable Watch made) {
      if (made == null) {
        return;
      }
      boolean fired = false;
      while (!fired) {
        fired = made.await(LOOK_AGAIN);
      }
    }

    void close() {
      Watch made = watch;
      if (made != null) {
        made.close();
      }
    }
  }
}
