package dev.tidemark.pulse.internal;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Batches of events from several sources, taken as they come.
 *
 * <p>Each source has a thread that fetches while somebody waits for a batch, and not otherwise; it
 * holds at most one batch that nobody has taken. Taking is safe for many threads.
 */
final class FanIn implements AutoCloseable {
  /** Fetches batches. Used by one thread; closed by any. */
  interface Source extends AutoCloseable {
    /** The next events; waits for them at most {@code block}. Empty if none came. */
    List<Event> fetch(Duration block);

    /** Ends a fetch that waits, which then returns. */
    @Override
    void close();
  }

  private record Delivery(
      Puller from, List<Event> events, @Nullable RuntimeException failure, long sinceNanos) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition demand = lock.newCondition();
  private final Condition supply = lock.newCondition();
  private final TimeSource time;
  private final Duration block;
  private final Duration fresh;

  // Guarded by lock.
  private final Map<String, Puller> pullers = new HashMap<>();
  private final Deque<Delivery> ready = new ArrayDeque<>();
  private int takers;
  private boolean closed;

  /**
   * A fan-in.
   *
   * @param block how long a source waits in one fetch
   * @param fresh how long a batch that nobody took is worth keeping
   */
  FanIn(TimeSource time, Duration block, Duration fresh) {
    this.time = time;
    this.block = block;
    this.fresh = fresh;
  }

  /** Whether there is a source {@code name}. */
  boolean has(String name) {
    lock.lock();
    try {
      return pullers.containsKey(name);
    } finally {
      lock.unlock();
    }
  }

  /** Takes {@code source} in under {@code name}; closes it if that is taken or this is closed. */
  void add(String name, Source source) {
    Puller puller = new Puller(name, source);
    lock.lock();
    try {
      if (!closed && pullers.putIfAbsent(name, puller) == null) {
        puller.thread.start();
        return;
      }
    } finally {
      lock.unlock();
    }
    source.close();
  }

  /** Drops the source {@code name} and what it fetched that nobody took. */
  void remove(String name) {
    Puller puller;
    lock.lock();
    try {
      puller = pullers.remove(name);
      if (puller == null) {
        return;
      }
      puller.ended = true;
      ready.removeIf(delivery -> delivery.from() == puller);
      demand.signalAll();
    } finally {
      lock.unlock();
    }
    end(List.of(puller));
  }

  /** Ends the threads of {@code some}, which have been told so. */
  private static void end(List<Puller> some) {
    some.forEach(puller -> puller.source.close());
    Threads.awaitEnd(some.stream().map(puller -> puller.thread).toList());
  }

  /**
   * The next batch of any source; waits for it at most {@code atMost}. Empty if none came or this
   * was closed.
   *
   * @throws RuntimeException what a source failed with; it fetches again for the next caller
   */
  List<Event> take(Duration atMost) {
    Delivery delivery = await(atMost.toNanos());
    if (delivery == null) {
      return List.of();
    }
    if (delivery.failure() != null) {
      throw delivery.failure();
    }
    return delivery.events();
  }

  private @Nullable Delivery await(long nanos) {
    long left = nanos;
    lock.lock();
    takers++;
    try {
      dropStale();
      demand.signalAll();
      while (ready.isEmpty() && left > 0 && !closed) {
        left = supply.awaitNanos(left);
      }
      Delivery delivery = ready.poll();
      if (delivery != null) {
        delivery.from().holds = false;
      }
      return delivery;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted in a wait for events", interrupt);
    } finally {
      takers--;
      lock.unlock();
    }
  }

  private void dropStale() {
    long oldest = time.nanos() - fresh.toNanos();
    ready.removeIf(
        delivery -> {
          boolean stale = delivery.sinceNanos() - oldest < 0;
          delivery.from().holds &= !stale;
          return stale;
        });
  }

  @Override
  public void close() {
    List<Puller> all;
    lock.lock();
    try {
      closed = true;
      all = new ArrayList<>(pullers.values());
      pullers.clear();
      ready.clear();
      all.forEach(puller -> puller.ended = true);
      demand.signalAll();
      supply.signalAll();
    } finally {
      lock.unlock();
    }
    end(all);
  }

  private final class Puller implements Runnable {
    private final Source source;

    private final Thread thread;

    // Guarded by lock.
    private boolean holds;
    private boolean ended;

    Puller(String name, Source source) {
      this.source = source;
      this.thread = Thread.ofVirtual().name("pulse-fetch-" + name).unstarted(this);
    }

    @Override
    public void run() {
      while (awaitDemand()) {
        try {
          deliver(source.fetch(block), null);
        } catch (RuntimeException failure) {
          deliver(List.of(), failure);
        }
      }
    }

    /** Waits until a batch is wanted; false if none ever is. */
    private boolean awaitDemand() {
      lock.lock();
      try {
        while (!ended && (takers == 0 || holds)) {
          demand.awaitUninterruptibly();
        }
        return !ended;
      } finally {
        lock.unlock();
      }
    }

    private void deliver(List<Event> events, @Nullable RuntimeException failure) {
      lock.lock();
      try {
        if (!ended && (failure != null || !events.isEmpty())) {
          ready.add(new Delivery(this, events, failure, time.nanos()));
          holds = true;
          supply.signal();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
