package dev.tidemark.pulse.internal.pool.client;

import dev.tidemark.coordination.Loop;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.internal.pool.rows.Reply;
import dev.tidemark.pulse.internal.pool.rows.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** The replies that one client waits for. */
final class PendingReplies implements AutoCloseable {
  private static final int FETCHED_AT_ONCE = 256;

  /** After so long without an answer the client looks for one, should a wake-up have been lost. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(2);

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);

  /** So many answers that came with their wake-up leave rows, which are then removed together. */
  private static final int CLEARED_AFTER = 128;

  private final PoolCore core;
  private final String client = PoolCore.newId("c");
  private final AtomicLong requests = new AtomicLong();
  private final Map<Long, CompletableFuture<Reply>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong hints = new AtomicLong();
  private final Semaphore wakeUps = new Semaphore(0);
  private final RowStore.Listening listening;
  private final Thread fetcher;
  private volatile boolean closed;

  PendingReplies(PoolCore core) {
    this.core = core;
    this.fetcher =
        Thread.ofVirtual()
            .name("pulse-replies-" + client)
            .unstarted(new Loop(core.backend().time(), () -> closed, this::fetchAll, this::failed));
    this.listening = core.rows().onWake(PoolKeys.clientChannel(client), this::wake);
    fetcher.start();
  }

  /** The id of the client. */
  String client() {
    return client;
  }

  /** A new question. Whoever asks forgets it in the end. */
  Waiter ask() {
    long request = requests.incrementAndGet();
    waiting.put(request, new CompletableFuture<>());
    return new Waiter(client, request);
  }

  void forget(Waiter waiter) {
    waiting.remove(waiter.request());
  }

  /** The answer to {@code waiter}; empty if none came in time. */
  Optional<Reply> await(Waiter waiter, Duration timeout) {
    CompletableFuture<Reply> answer = waiting.get(waiter.request());
    long end = core.nanos() + timeout.toNanos();
    while (answer != null) {
      long left = Math.min(end - core.nanos(), LOOK_EVERY.toNanos());
      if (left <= 0 || closed) {
        return Optional.ofNullable(answer.getNow(null));
      }
      Optional<Reply> reply = poll(answer, left);
      if (reply.isPresent()) {
        return reply;
      }
      wakeUps.release();
    }
    return Optional.empty();
  }

  private static Optional<Reply> poll(CompletableFuture<Reply> answer, long nanos) {
    try {
      return Optional.of(answer.get(nanos, TimeUnit.NANOSECONDS));
    } catch (TimeoutException none) {
      return Optional.empty();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for a worker", interrupt);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("An answer never fails", impossible);
    }
  }

  private void wake(byte[] hint) {
    if (hint.length > 0) {
      deliver(Reply.decode(hint));
      if (hints.incrementAndGet() % CLEARED_AFTER == 0) {
        wakeUps.release();
      }
    } else {
      wakeUps.release();
    }
  }

  private void deliver(Reply reply) {
    CompletableFuture<Reply> asked = waiting.get(reply.request());
    if (asked != null) {
      asked.complete(reply);
    }
  }

  private void fetchAll() throws InterruptedException {
    wakeUps.acquire();
    wakeUps.drainPermits();
    while (!closed && fetchSome() == FETCHED_AT_ONCE) {
      wakeUps.drainPermits();
    }
  }

  /** Who waits for an answer learns of an outage by its time; only an error is reported. */
  private Duration failed(Throwable failure, int inARow) {
    if (failure instanceof Error) {
      core.report("A member of the pool %s cannot read answers".formatted(core.name()), failure);
    }
    wakeUps.release();
    return PAUSE_AFTER_FAILURE;
  }

  /** Delivers what is there and removes it; how many there were. */
  private int fetchSome() {
    Tuple box = PoolKeys.REPLIES.append(client);
    List<Rows.Row> found = core.rows().read(rows -> rows.peek(box, box, FETCHED_AT_ONCE));
    found.forEach(row -> deliver(Reply.decode(row.value())));
    if (!found.isEmpty()) {
      core.rows()
          .transact(
              rows -> {
                found.forEach(row -> rows.clear(row.key()));
                return found.size();
              });
    }
    return found.size();
  }

  @Override
  public void close() {
    closed = true;
    listening.close();
    Threads.end(fetcher);
    Threads.awaitEnd(
        List.of(Thread.ofVirtual().name("pulse-replies-end-" + client).start(this::forgetClient)));
  }

  /** Leaves no rows behind if the store is there; otherwise the sweep finds them. */
  private void forgetClient() {
    try {
      core.rows()
          .transact(
              rows -> {
                rows.clearAll(PoolKeys.REPLIES.append(client));
                rows.forget(PoolKeys.clientChannel(client));
                return client;
              });
    } catch (RuntimeException failure) {
      // Nobody waits for this, and nothing depends on it.
    }
  }
}
