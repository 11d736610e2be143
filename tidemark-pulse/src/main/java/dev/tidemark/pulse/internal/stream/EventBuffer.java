package dev.tidemark.pulse.internal.stream;

import dev.tidemark.coordination.Threads;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.Subscription;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events that wait for a handler, and the threads that it runs on. Whoever puts events in waits
 * while it is full.
 */
final class EventBuffer implements Subscription {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");

  private final ArrayBlockingQueue<Event> queue;
  private final Consumer<Event> handler;
  private final Runnable onEnd;
  private final List<Thread> threads = new ArrayList<>();

  private volatile boolean ended;
  private volatile @Nullable RuntimeException failure;

  /**
   * A buffer.
   *
   * @param handler gets the events; if it throws, the subscription is over
   * @param onEnd runs once when the subscription ends, however it does
   */
  EventBuffer(int capacity, Consumer<Event> handler, Runnable onEnd) {
    this.queue = new ArrayBlockingQueue<>(capacity);
    this.handler = handler;
    this.onEnd = onEnd;
  }

  /** Starts {@code count} threads that hand events to the handler. */
  EventBuffer start(int count) {
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofVirtual().name("pulse-handler-" + i).start(this::handleAll));
    }
    return this;
  }

  private void handleAll() {
    try {
      while (!ended) {
        handle(queue.take());
      }
    } catch (InterruptedException interrupt) {
      // Only the end of the subscription interrupts.
    } catch (RuntimeException thrown) {
      fail(thrown);
    } catch (Error thrown) {
      LOG.log(Level.ERROR, "A handler of events ended its thread", thrown);
      fail(new IllegalStateException("The handler threw " + thrown, thrown));
    }
  }

  private void handle(Event event) {
    try {
      handler.accept(event);
    } catch (RuntimeException thrown) {
      if (!ended) {
        LOG.log(Level.WARNING, event + " was not handled; the subscription ends", thrown);
      }
      throw thrown;
    }
  }

  /** Ends the subscription because of {@code cause}. */
  void fail(RuntimeException cause) {
    if (!ended) {
      failure = cause;
      end();
    }
  }

  /** Puts {@code event} in; waits while there is no room. Nothing if the subscription is over. */
  void put(Event event) throws InterruptedException {
    if (!ended) {
      queue.put(event);
    }
  }

  private void end() {
    ended = true;
    queue.clear();
    threads.stream()
        .filter(each -> !each.equals(Thread.currentThread()))
        .forEach(Thread::interrupt);
    onEnd.run();
  }

  @Override
  public Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  @Override
  public void close() {
    if (!ended) {
      end();
    }
    Threads.awaitEnd(threads);
  }
}
