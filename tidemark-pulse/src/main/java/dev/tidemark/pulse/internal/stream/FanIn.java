package dev.tidemark.pulse.internal.stream;

import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.PulseException;
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
 * <p>Each source has a thread that fetches while a caller waits for a batch, and holds at most one
 * batch that has not been taken. A batch that came too late for its caller is given back if no
 * other caller takes it soon and the source can take it back. It is kept for longer if that caller
 * got the batch of another source, and so will be back. {@code take} is safe for many threads.
 *
 * <p>With a single source whose batches are taken as fast as they come, the next ones are fetched
 * in advance, while the caller still handles the last one; at most two are held then.
 */
final class FanIn implements AutoCloseable {
  /** Fetches batches. Used by one thread; closed by any. */
  interface Source extends AutoCloseable {
    /** The next events; waits for them at most {@code block}. Empty if none came. */
    List<Event> fetch(Duration block);

    /** Whether events that were given back are not lost. */
    default boolean canGiveBack() {
      return false;
    }

    /** Takes back events that were fetched and not delivered. */
    default void giveBack(List<Event> events) {}

    /**
     * Releases events that the store assigned to this source although its reply was lost. Called by
     * the thread that fetches, after the last fetch.
     */
    default void giveBackStranded() {}

    /** Ends a fetch that waits, which then returns. */
    @Override
    void close();
  }

  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");

  /** For how long a batch is kept that cannot be given back: dropping it would lose events. */
  static final Duration ALWAYS = Duration.ofDays(36_500);

  /** For how long a batch is kept that can be given back, unless a part of the grace is less. */
  private static final Duration KEPT_MAX = Duration.ofMillis(500);

  private static final int KEPT_PARTS = 4;

  /** A batch for a taker that handles another one is kept for this part of the grace. */
  private static final int KEPT_FOR_BUSY_PARTS = 2;

  private static final int EARLY_HELD_MAX = 2;

  /** A fetch that does not wait for events may end, so that its events are given back. */
  private static final Duration QUICK_END_WITHIN = Duration.ofMillis(100);

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

  /** Whether the last one that asked has got a batch, and is at that now. */
  private boolean busy;

  private boolean closed;

  /**
   * A fan-in.
   *
   * @param block how long a source waits in one fetch
   * @param fresh how long an untaken batch is kept
   */
  FanIn(TimeSource time, Duration block, Duration fresh) {
    this.time = time;
    this.block = block;
    this.fresh = fresh;
  }

  /** How many events have been fetched and not taken. */
  int held() {
    lock.lock();
    try {
      return ready.stream().mapToInt(delivery -> delivery.events().size()).sum();
    } finally {
      lock.unlock();
    }
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

  /**
   * Takes {@code source} in under {@code name}; closes it if that is taken or this is closed.
   *
   * @param pace says when to fetch early
   * @param added runs before the first fetch, if the source is taken in
   */
  void add(String name, Source source, Pace pace, Runnable added) {
    Puller puller = new Puller(name, source, pace);
    lock.lock();
    try {
      if (!closed && pullers.putIfAbsent(name, puller) == null) {
        added.run();
        puller.thread.start();
        return;
      }
    } finally {
      lock.unlock();
    }
    source.close();
  }

  /** Drops the source {@code name} and its fetched batches that were not taken. */
  void remove(String name) {
    Puller puller;
    lock.lock();
    try {
      puller = pullers.remove(name);
      if (puller == null) {
        return;
      }
      puller.ended = true;
      demand.signalAll();
    } finally {
      lock.unlock();
    }
    end(List.of(puller));
  }

  /**
   * Ends the threads of {@code some}, which have been told so; all at once, since a store that does
   * not answer holds up each of them.
   */
  private void end(List<Puller> some) {
    Threads.awaitEnd(
        some.stream().map(puller -> Thread.ofVirtual().start(puller::closeSource)).toList());
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
    long asked = time.nanos();
    lock.lock();
    takers++;
    try {
      dropStale(asked);
      if (ready.isEmpty()) {
        demand.signalAll();
      }
      while (ready.isEmpty() && left > 0 && !closed) {
        left = supply.awaitNanos(left);
      }
      Delivery delivery = ready.poll();
      busy = delivery != null;
      if (delivery != null) {
        delivery.from().taken(delivery, asked);
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

  private void dropStale(long now) {
    long oldest = now - fresh.toNanos();
    ready.removeIf(
        delivery -> {
          boolean stale = delivery.sinceNanos() - oldest < 0;
          delivery.from().held -= stale ? 1 : 0;
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
    private final Pace pace;
    private final Thread thread;

    // Guarded by lock.
    private int held;
    private boolean ended;

    /** Whether the last batch was or is fetched before somebody asked for it. */
    private boolean early;

    /** Whether the source may be waiting for events. */
    private boolean waiting;

    Puller(String name, Source source, Pace pace) {
      this.source = source;
      this.pace = pace;
      this.thread = Thread.ofVirtual().name("pulse-fetch-" + name).unstarted(this);
    }

    @Override
    public void run() {
      while (awaitDemand()) {
        try {
          deliver(source.fetch(waiting ? block : Duration.ZERO), null);
        } catch (RuntimeException failure) {
          deliver(List.of(), failure);
        } catch (Error failure) {
          // Waiting readers get the failure; the next read tries again.
          deliver(
              List.of(), new PulseException("Events could not be fetched: " + failure, failure));
        }
        if (source.canGiveBack()) {
          giveBack(unlessTaken());
        }
      }
      // The close may have interrupted a slow fetch; it waits for what follows.
      Threads.undisturbed(
          () -> {
            giveBack(takeBack());
            tryGiveBack(source::giveBackStranded);
          });
    }

    /** Waits until a batch is wanted; false if none ever is. */
    private boolean awaitDemand() {
      lock.lock();
      try {
        while (!ended && (held >= heldMax() || !isWanted())) {
          demand.awaitUninterruptibly();
        }
        early = !isAwaited();
        waiting = !ended && !early;
        return !ended;
      } finally {
        lock.unlock();
      }
    }

    /** Whether somebody waits for a batch, or will do so soon. */
    private boolean isWanted() {
      return isAwaited() || (pace.isFast() && pullers.size() == 1);
    }

    /** Whether more callers wait than batches are held: a caller may not have taken its own yet. */
    private boolean isAwaited() {
      return takers > held;
    }

    private int heldMax() {
      return pace.isFast() ? EARLY_HELD_MAX : 1;
    }

    private void deliver(List<Event> events, @Nullable RuntimeException failure) {
      lock.lock();
      try {
        waiting = false;
        if (early) {
          pace.found(events.size());
        }
        if (failure != null || !events.isEmpty()) {
          ready.add(new Delivery(this, events, failure, time.nanos()));
          held++;
          supply.signal();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Notes that somebody who asked at {@code asked} has got {@code delivery}. */
    private void taken(Delivery delivery, long asked) {
      held--;
      pace.took(delivery.events().size(), asked, time.nanos());
      demand.signalAll();
    }

    /** All that is held, once none of it has been taken for some time. */
    private List<Event> unlessTaken() {
      lock.lock();
      try {
        long kept = keptNanos();
        long left = kept;
        while (held >= heldMax() && !ended && left > 0) {
          left = demand.awaitNanos(left) - kept;
          kept = keptNanos();
          left += kept;
        }
        return held >= heldMax() ? takeBack() : List.of();
      } catch (InterruptedException interrupt) {
        // Only the end interrupts.
        return takeBack();
      } finally {
        lock.unlock();
      }
    }

    private long keptNanos() {
      return busy && !early
          ? fresh.toNanos() / KEPT_FOR_BUSY_PARTS
          : Math.min(KEPT_MAX.toNanos(), fresh.toNanos() / KEPT_PARTS);
    }

    /** What is held; from now on nobody can take it. */
    private List<Event> takeBack() {
      lock.lock();
      try {
        List<Event> back = new ArrayList<>();
        ready.stream().filter(this::isOwn).forEach(own -> back.addAll(own.events()));
        ready.removeIf(this::isOwn);
        held = 0;
        pace.slowDown();
        return back;
      } finally {
        lock.unlock();
      }
    }

    private boolean isOwn(Delivery delivery) {
      return delivery.from() == this;
    }

    private void giveBack(List<Event> events) {
      if (!events.isEmpty()) {
        tryGiveBack(() -> source.giveBack(events));
      }
    }

    private static void tryGiveBack(Runnable attempt) {
      try {
        attempt.run();
      } catch (Throwable failure) {
        LOG.log(
            System.Logger.Level.DEBUG,
            "Events could not be given back; they come again after the grace",
            failure);
      }
    }

    private void closeSource() {
      awaitQuickEnd();
      source.close();
    }

    /** Waits for the end of the thread if that takes no longer than a round trip. */
    private void awaitQuickEnd() {
      lock.lock();
      try {
        if (waiting) {
          return;
        }
      } finally {
        lock.unlock();
      }
      try {
        thread.join(QUICK_END_WITHIN);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
