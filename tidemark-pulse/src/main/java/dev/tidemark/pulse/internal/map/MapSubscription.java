package dev.tidemark.pulse.internal.map;

import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap.Kind;
import dev.tidemark.pulse.Subscription;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes the changes of a map to a handler on a thread of its own; the feed never waits for it. */
final class MapSubscription<T> implements Subscription {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final int BEHIND_MAX = 10_000;
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final String map;
  private final Consumer<T> handler;
  private final Consumer<MapSubscription<?>> whenEnded;
  private final Collection<List<T>> waiting;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private boolean ended;
  private @Nullable RuntimeException failure;

  private MapSubscription(
      String map,
      Consumer<T> handler,
      Consumer<MapSubscription<?>> whenEnded,
      Collection<List<T>> waiting) {
    this.map = map;
    this.handler = handler;
    this.whenEnded = whenEnded;
    this.waiting = waiting;
    this.thread = Thread.ofVirtual().name("pulse-map-" + map + "-handler").unstarted(this::run);
  }

  /** Hands out everything in order. */
  static <T> MapSubscription<T> ofAll(
      String map, Consumer<T> handler, Consumer<MapSubscription<?>> whenEnded) {
    return new MapSubscription<>(map, handler, whenEnded, new ArrayDeque<>());
  }

  /** Hands out each kind once, however often it happened since the handler took the last one. */
  static MapSubscription<Kind> ofKinds(
      String map, Consumer<Kind> handler, Consumer<MapSubscription<?>> whenEnded) {
    return new MapSubscription<>(map, handler, whenEnded, new LinkedHashSet<>());
  }

  MapSubscription<T> start() {
    thread.start();
    return this;
  }

  void offer(List<T> happened) {
    if (!add(happened)) {
      fail(
          Level.WARNING,
          new PulseException(
              "The handler is %,d updates of the map behind, which is the limit. Subscribe again and begin with a snapshot"
                  .formatted(BEHIND_MAX)));
    }
  }

  /** Whether there was room. */
  private boolean add(List<T> happened) {
    lock.lock();
    try {
      boolean room = waiting.size() < BEHIND_MAX;
      if (room && !ended) {
        waiting.add(happened);
        changed.signalAll();
      }
      return room;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<RuntimeException> failure() {
    lock.lock();
    try {
      return Optional.ofNullable(failure);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      end(null);
    } finally {
      lock.unlock();
    }
    whenEnded.accept(this);
    if (Thread.currentThread().equals(thread)) {
      return;
    }
    thread.interrupt();
    try {
      thread.join(CLOSING);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      for (List<T> next = take(); next != null; next = take()) {
        for (T each : next) {
          if (isEnded()) {
            return;
          }
          handler.accept(each);
        }
      }
    } catch (RuntimeException thrown) {
      fail(Level.WARNING, thrown);
    } catch (Error thrown) {
      fail(Level.ERROR, new IllegalStateException("The handler threw " + thrown, thrown));
    } finally {
      whenEnded.accept(this);
    }
  }

  /** What comes next; null at the end. */
  private @Nullable List<T> take() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !ended) {
        try {
          changed.await();
        } catch (InterruptedException interrupt) {
          // The end, which the loop looks for; or the handler left its thread interrupted.
        }
      }
      if (ended) {
        return null;
      }
      Iterator<List<T>> first = waiting.iterator();
      List<T> next = first.next();
      first.remove();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the subscription and says so: nobody else would notice that nothing comes any more. */
  private void fail(Level level, RuntimeException thrown) {
    boolean first;
    lock.lock();
    try {
      first = !ended;
      end(thrown);
    } finally {
      lock.unlock();
    }
    if (first) {
      LOG.log(level, "A subscription to the map '" + map + "' ends: its handler failed", thrown);
    }
  }

  /** Called with the lock held. */
  private void end(@Nullable RuntimeException reason) {
    if (!ended) {
      ended = true;
      failure = reason;
      waiting.clear();
      changed.signalAll();
    }
  }
}
