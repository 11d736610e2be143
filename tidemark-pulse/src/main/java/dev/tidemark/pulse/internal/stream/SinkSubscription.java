package dev.tidemark.pulse.internal.stream;

import dev.tidemark.coordination.Loop;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Subscription;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A handler that is given the events of a sink.
 *
 * <p>Events are claimed in batches, so some wait while the handler works. Their grace is renewed,
 * so that they do not go to another instance untried. They are given back when every handler has
 * been at one event for longer than the grace, and when the subscription ends. No handler has seen
 * them, so that does not count as a delivery.
 */
final class SinkSubscription implements Subscription {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final int RENEWALS_PER_GRACE = 3;
  private static final Duration STUCK_PAUSE = Duration.ofMillis(50);

  private final SinkOptions options;
  private final TimeSource time;
  private final Consumer<Event> work;
  private final Claims claims;
  private final SinkCounts counts;
  private final Consumer<SinkSubscription> onEnd;

  /** Removing an event takes ownership: a handler processes it, the close gives it back. */
  private final Set<Event> waiting = ConcurrentHashMap.newKeySet();

  private final Map<Event, Long> running = new ConcurrentHashMap<>();
  private final EventBuffer buffer;
  private final Pump pump;
  private final Thread renewer;

  /** What can be done for events that wait. */
  interface Claims {
    /** Gives them the whole grace again. */
    void renew(List<Event> events);

    /** Gives them back, as if they had not been claimed. Takes a bounded time; never throws. */
    void giveBack(List<Event> events);
  }

  /**
   * A subscription, not yet started.
   *
   * @param from where the events come from
   * @param work handles an event and acknowledges it; may throw
   * @param claims keeps the events that wait, or lets go of them
   * @param counts where it is counted what the handler gets and does
   * @param onEnd runs when the subscription ends
   */
  SinkSubscription(
      String sink,
      SinkOptions options,
      TimeSource time,
      Supplier<List<Event>> from,
      Consumer<Event> work,
      Claims claims,
      SinkCounts counts,
      Consumer<SinkSubscription> onEnd) {
    this.options = options;
    this.time = time;
    this.work = work;
    this.claims = claims;
    this.counts = counts;
    this.onEnd = onEnd;
    this.buffer = new EventBuffer(options.buffer(), this::handle, this::ended);
    this.pump = new Pump(sink, time, () -> next(from), buffer::put, cause -> buffer.fail(cause));
    this.renewer =
        Thread.ofVirtual()
            .name("pulse-renew-" + sink)
            .unstarted(new Loop(time, () -> isEnded(), this::keepWaiting, this::notKept));
  }

  SinkSubscription start() {
    buffer.start(options.parallel());
    pump.start();
    if (!options.noAck()) {
      renewer.start();
    }
    return this;
  }

  /** However it ended: nothing more is claimed that nobody would handle. */
  private void ended() {
    Threads.undisturbed(
        () -> {
          pump.close();
          Threads.end(renewer);
          giveBackWaiting();
        });
    onEnd.accept(this);
  }

  private void giveBackWaiting() {
    List<Event> back = List.copyOf(waiting).stream().filter(waiting::remove).toList();
    if (!back.isEmpty() && !options.noAck()) {
      claims.giveBack(back);
    }
  }

  /** The next events. None while all handlers are stuck: it would claim its own events again. */
  private List<Event> next(Supplier<List<Event>> from) {
    if (stuck() < options.parallel()) {
      List<Event> events = from.get();
      waiting.addAll(events);
      return events;
    }
    try {
      time.sleep(STUCK_PAUSE);
      return List.of();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted in a wait for a handler", interrupt);
    }
  }

  private void handle(Event event) {
    running.put(event, time.nanos());
    try {
      if (!waiting.remove(event)) {
        return;
      }
      counts.delivered(event);
      work.accept(event);
    } catch (Error failure) {
      counts.handlerFailed();
      throw failure;
    } catch (RuntimeException failure) {
      if (!buffer.isEnded()) {
        counts.handlerFailed();
        LOG.log(Level.WARNING, event + " was not handled; it is delivered again", failure);
      }
    } finally {
      running.remove(event);
    }
  }

  private void keepWaiting() throws InterruptedException {
    time.sleep(options.ackGrace().dividedBy(RENEWALS_PER_GRACE));
    if (waiting.isEmpty()) {
      return;
    }
    if (stuck() < options.parallel()) {
      renewHeld();
    } else {
      giveBackWaiting();
    }
  }

  private Duration notKept(Throwable failure, int inARow) {
    LOG.log(Level.WARNING, "Events could not be kept for this instance of a sink", failure);
    return Duration.ZERO;
  }

  /** Renews what waits, and what a handler has been at for less than the grace. */
  private void renewHeld() {
    List<Event> held = new ArrayList<>(waiting);
    long oldest = oldestInGrace();
    running.forEach(
        (event, since) -> {
          if (since - oldest >= 0) {
            held.add(event);
          }
        });
    claims.renew(held);
  }

  /** How many handlers have been at one event for longer than the grace. */
  private long stuck() {
    long oldest = oldestInGrace();
    return running.values().stream().filter(since -> since - oldest < 0).count();
  }

  private long oldestInGrace() {
    return time.nanos() - options.ackGrace().toNanos();
  }

  /** How many events wait for a handler. */
  int waiting() {
    return waiting.size();
  }

  /** How many events handlers are at. */
  int running() {
    return running.size();
  }

  @Override
  public Optional<RuntimeException> failure() {
    return buffer.failure();
  }

  @Override
  public boolean isEnded() {
    return buffer.isEnded();
  }

  @Override
  public void close() {
    Threads.undisturbed(
        () -> {
          pump.close();
          buffer.close();
        });
  }
}
