package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.pulse.PulseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Batches calls that come at the same time: while one batch is under way, the next one fills up. A
 * large one is sent beside the first, so that the server has work while the callers of the first
 * get their results. Each caller waits for its own result, so there are never more items than
 * callers.
 */
public final class Gatherer<I, R> {
  private static final int BATCH_MAX = 256;
  private static final int BATCH_BYTES_MAX = 1 << 20;
  private static final int SENDERS_MAX = 2;

  /** With so many waiting a second batch is sent beside the first. */
  private static final int MANY = 16;

  private final Function<List<I>, List<R>> send;
  private final ToIntFunction<I> size;
  private final Duration patience;
  private final Queue<Waiting<I, R>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger gathered = new AtomicInteger();
  private final AtomicInteger senders = new AtomicInteger();

  private record Waiting<I, R>(I item, CompletableFuture<R> result) {}

  /**
   * A gatherer.
   *
   * @param send carries out a batch; one result for each item, in order
   * @param size the bytes of an item
   * @param patience how long a caller waits, longer than a batch may take
   */
  public Gatherer(Function<List<I>, List<R>> send, ToIntFunction<I> size, Duration patience) {
    this.send = send;
    this.size = size;
    this.patience = patience;
  }

  /**
   * The result for {@code item}.
   *
   * @throws InterruptedOperationException if the caller is interrupted before it has the result. If
   *     the item is still in line, it is not sent any more; if its batch is under way, it may or
   *     may not happen
   * @throws PulseException if the batch fails, or has no result in time, which leaves the caller
   *     with the same
   */
  public R submit(I item) {
    Waiting<I, R> mine = new Waiting<>(item, new CompletableFuture<>());
    waiting.add(mine);
    if (begin(gathered.incrementAndGet() < MANY ? 1 : SENDERS_MAX)) {
      Thread.ofVirtual().name("pulse-gatherer").start(this::sendAll);
    }
    return await(mine.result());
  }

  private R await(CompletableFuture<R> result) {
    try {
      return result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failure) {
      throw failureOf(failure);
    } catch (TimeoutException late) {
      result.cancel(false);
      throw new PulseException(
          "No result within " + patience + "; it may or may not have happened", late);
    } catch (InterruptedException interrupt) {
      result.cancel(false);
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted while waiting for Redis; it may or may not have happened", interrupt);
    }
  }

  /** One for this caller alone where that can be: all of a batch have the same cause. */
  private static RuntimeException failureOf(ExecutionException batch) {
    if (batch.getCause() instanceof PulseException shared) {
      Throwable cause = shared.getCause();
      return new PulseException(Failure.message(shared), cause == null ? shared : cause);
    }
    return batch.getCause() instanceof RuntimeException failure
        ? failure
        : new PulseException("A batch failed", batch);
  }

  /** Whether the caller is to send, because fewer than {@code most} do. */
  private boolean begin(int most) {
    int now = senders.get();
    while (now < most) {
      if (senders.compareAndSet(now, now + 1)) {
        return true;
      }
      now = senders.get();
    }
    return false;
  }

  @SuppressWarnings("ThreadPriorityCheck") // where yielding does nothing, batches are smaller
  private void sendAll() {
    do {
      for (List<Waiting<I, R>> batch = next(); !batch.isEmpty(); batch = next()) {
        send(batch);
        Thread.yield(); // Those who got their results may come again.
      }
      senders.decrementAndGet();
      // What came between the last look and the line above may have found nobody to send it.
    } while (!waiting.isEmpty() && begin(1));
  }

  private List<Waiting<I, R>> next() {
    List<Waiting<I, R>> batch = new ArrayList<>();
    int bytes = 0;
    while (batch.size() < BATCH_MAX && bytes < BATCH_BYTES_MAX) {
      Waiting<I, R> next = waiting.poll();
      if (next == null) {
        return batch;
      }
      gathered.decrementAndGet();
      if (!next.result().isDone()) { // Otherwise its caller has given up.
        batch.add(next);
        bytes += size.applyAsInt(next.item());
      }
    }
    return batch;
  }

  private void send(List<Waiting<I, R>> batch) {
    try {
      List<R> results = send.apply(batch.stream().map(Waiting::item).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).result().complete(results.get(i));
      }
    } catch (RuntimeException | Error failure) {
      batch.forEach(each -> each.result().completeExceptionally(failure));
    }
  }
}
