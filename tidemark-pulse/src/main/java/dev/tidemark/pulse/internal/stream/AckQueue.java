package dev.tidemark.pulse.internal.stream;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.PulseException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Batches acknowledgements: while one batch is being written, the next one fills up. A caller that
 * finds no batch under way writes its own acknowledgement itself.
 */
final class AckQueue implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final int WAITING_MAX = 10_000;
  private static final Duration END_WITHIN = Duration.ofMillis(800);

  private final Consumer<List<Event>> write;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private List<Ack> waiting = new ArrayList<>();
  private boolean writing;
  private boolean closed;

  /** Some events and what became of them; the rest is guarded by lock. */
  private static final class Ack {
    final List<Event> events;
    boolean done;
    @Nullable RuntimeException failure;

    Ack(List<Event> events) {
      this.events = events;
    }
  }

  /** A queue that has {@code write} acknowledge events. */
  AckQueue(Consumer<List<Event>> write) {
    this.write = write;
  }

  /** Acknowledges {@code events}; returns when they are. */
  void ack(List<Event> events) {
    if (!takeTurn()) {
      await(submit(events));
      return;
    }
    RuntimeException failure;
    try {
      failure = write(events);
    } finally {
      endTurn();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Becomes the writer, if there is none. */
  private boolean takeTurn() {
    lock.lock();
    try {
      if (writing || closed) {
        return false;
      }
      writing = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Hands acknowledgements that arrived meanwhile to another thread. */
  private void endTurn() {
    lock.lock();
    try {
      if (waiting.isEmpty()) {
        writing = false;
        changed.signalAll();
      } else {
        startWriter();
      }
    } finally {
      lock.unlock();
    }
  }

  private void startWriter() {
    Thread.ofVirtual().name("pulse-acks").start(this::writeAll);
  }

  private void await(Ack ack) {
    lock.lock();
    try {
      while (!ack.done) {
        changed.await();
      }
      if (ack.failure != null) {
        throw ack.failure;
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted in an acknowledgement", interrupt);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Acknowledges {@code event} soon; waits only if very many are waiting. Not after {@link #close}:
   * the event is delivered again then.
   */
  void ackSoon(Event event) {
    submit(List.of(event));
  }

  private Ack submit(List<Event> events) {
    Ack ack = new Ack(events);
    lock.lock();
    try {
      while (waiting.size() >= WAITING_MAX) {
        changed.await();
      }
      if (closed) {
        ack.done = true;
        ack.failure = new IllegalStateException("The sink was closed before the acknowledgement");
        return ack;
      }
      waiting.add(ack);
      if (!writing) {
        writing = true;
        startWriter();
      }
      return ack;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted in an acknowledgement", interrupt);
    } finally {
      lock.unlock();
    }
  }

  private void writeAll() {
    for (List<Ack> batch = next(); !batch.isEmpty(); batch = next()) {
      List<Event> events = batch.stream().flatMap(ack -> ack.events.stream()).toList();
      RuntimeException failure = write(events);
      lock.lock();
      try {
        for (Ack ack : batch) {
          ack.done = true;
          ack.failure = failure;
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private @Nullable RuntimeException write(List<Event> events) {
    try {
      write.accept(events);
      return null;
    } catch (RuntimeException failure) {
      return told(events, failure);
    } catch (Error failure) {
      return told(events, new PulseException("Not acknowledged: " + failure, failure));
    }
  }

  private static RuntimeException told(List<Event> events, RuntimeException failure) {
    LOG.log(
        Level.WARNING,
        "%d events could not be acknowledged and are delivered again".formatted(events.size()),
        failure);
    return failure;
  }

  private List<Ack> next() {
    lock.lock();
    try {
      List<Ack> batch = waiting;
      waiting = new ArrayList<>();
      writing = !batch.isEmpty();
      changed.signalAll();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for what is being acknowledged, at most a second. */
  @Override
  public void close() {
    long left = END_WITHIN.toNanos();
    lock.lock();
    try {
      closed = true;
      while (writing && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
