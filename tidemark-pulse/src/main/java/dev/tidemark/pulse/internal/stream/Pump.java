package dev.tidemark.pulse.internal.stream;

import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.pulse.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A thread that takes events from somewhere and passes them on until it is closed. When the store
 * fails it waits a little and goes on.
 */
final class Pump implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final Duration PAUSE_MIN = Duration.ofMillis(20);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  private final Supplier<List<Event>> from;
  private final Target to;
  private final Consumer<RuntimeException> onFailure;
  private final TimeSource time;
  private final Thread thread;

  private volatile boolean closed;
  private Duration pause = PAUSE_MIN;

  /** Where the events go. */
  @FunctionalInterface
  interface Target {
    void accept(Event event) throws InterruptedException;
  }

  /**
   * Starts to pump.
   *
   * @param onFailure told if the store is closed, after which nothing comes any more
   */
  Pump(
      String name,
      TimeSource time,
      Supplier<List<Event>> from,
      Target to,
      Consumer<RuntimeException> onFailure) {
    this.from = from;
    this.to = to;
    this.onFailure = onFailure;
    this.time = time;
    this.thread = Thread.ofVirtual().name("pulse-pump-" + name).unstarted(this::run);
  }

  Pump start() {
    thread.start();
    return this;
  }

  private void run() {
    try {
      while (!closed) {
        pumpOnce();
      }
    } catch (InterruptedException | InterruptedOperationException interrupt) {
      // Only the end interrupts.
    } catch (TransactionClosedException gone) {
      onFailure.accept(gone);
    }
  }

  private void pumpOnce() throws InterruptedException {
    List<Event> events;
    try {
      events = from.get();
      pause = PAUSE_MIN;
    } catch (InterruptedOperationException | TransactionClosedException end) {
      throw end;
    } catch (RuntimeException | Error failure) {
      if (!closed) {
        LOG.log(Level.WARNING, "Reading events failed; trying again in " + pause, failure);
        time.sleep(pause);
        pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
      }
      return;
    }
    for (Event event : events) {
      to.accept(event);
    }
  }

  /** Ends soon, without waiting for that. For any thread, also the pump's own. */
  void stop() {
    closed = true;
    if (!thread.equals(Thread.currentThread())) {
      thread.interrupt();
    }
  }

  /** Ends after what is being passed on. For the pump's own thread. */
  void retire() {
    closed = true;
  }

  @Override
  public void close() {
    stop();
    Threads.awaitEnd(List.of(thread));
  }
}
