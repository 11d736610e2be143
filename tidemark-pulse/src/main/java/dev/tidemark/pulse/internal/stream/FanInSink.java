package dev.tidemark.pulse.internal.stream;

import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.LostEvents;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.SinkStatistics;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.internal.spi.StreamStore;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** An instance of a sink over the streams of a backend. */
final class FanInSink implements Sink, OpenHandles.Handle, SinkSubscription.Claims {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final String NO_HANDLER = "The handler is null; without one, call read";
  private static final String NO_EVENT = "The event to acknowledge is null";

  private final String name;
  private final Backend backend;
  private final SinkOptions options;
  private final OpenHandles handles;
  private final FanIn events;
  private final SinkCounts counts = new SinkCounts();
  private final AckQueue acks = new AckQueue(this::writeAcks);

  /** Of the streams that this consumes or has consumed: their events can be acknowledged. */
  private final Map<String, StreamStore.Group> groups = new ConcurrentHashMap<>();

  private final Set<SinkSubscription> subscriptions = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  FanInSink(String name, Backend backend, SinkOptions options, OpenHandles handles) {
    this.name = name;
    this.backend = backend;
    this.options = options.withLossListener(lost -> tell(options, lost));
    this.handles = handles;
    this.events =
        new FanIn(
            backend.time(), options.block(), options.noAck() ? FanIn.ALWAYS : options.ackGrace());
  }

  private void tell(SinkOptions given, LostEvents lost) {
    counts.lost();
    given.lossListener().accept(lost);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Event> read() {
    checkOpen();
    List<Event> taken = events.take(options.block());
    taken.forEach(counts::delivered);
    return taken;
  }

  @Override
  public Subscription subscribe(Consumer<Event> handler) {
    Objects.requireNonNull(handler, NO_HANDLER);
    return start(
        event -> {
          handler.accept(event);
          acks.ackSoon(event);
        });
  }

  @Override
  public Subscription subscribe(BiConsumer<Transaction, Event> handler) {
    Objects.requireNonNull(handler, NO_HANDLER);
    if (!backend.capabilities().transactions()) {
      throw new UnsupportedOperationException(
          "%s has no transactions to join; take subscribe(Consumer) and make the handler repeatable"
              .formatted(backend.capabilities().name()));
    }
    if (options.noAck()) {
      throw new IllegalStateException(
          "Sink '%s' has no acknowledgements (SinkOptions.noAck), so the handler's transaction cannot have one; open it without withNoAck, or take subscribe(Consumer)"
              .formatted(name));
    }
    return start(
        event -> {
          groupOf(event).handle(event, handler);
          counts.acknowledged(1);
        });
  }

  private Subscription start(Consumer<Event> work) {
    checkOpen();
    SinkSubscription subscription =
        new SinkSubscription(
            name,
            options,
            backend.time(),
            () -> events.take(options.block()),
            work,
            this,
            counts,
            subscriptions::remove);
    subscriptions.add(subscription);
    subscription.start();
    if (closed) {
      subscription.close();
    }
    return subscription;
  }

  @Override
  public void ack(Event event) {
    Objects.requireNonNull(event, NO_EVENT);
    ackAll(List.of(event));
  }

  @Override
  public void ackAll(List<Event> some) {
    checkOpen();
    Objects.requireNonNull(some, "The events to acknowledge are null");
    some.forEach(event -> groupOf(Objects.requireNonNull(event, NO_EVENT)));
    if (!some.isEmpty()) {
      acks.ack(List.copyOf(some));
    }
  }

  private void writeAcks(List<Event> some) {
    int left = some.size();
    try {
      for (List<Event> its : byStream(some).values()) {
        groupOf(its.getFirst()).ack(its);
        counts.acknowledged(options.noAck() ? 0 : its.size());
        left -= its.size();
      }
    } finally {
      counts.acknowledgementFailed(left);
    }
  }

  @Override
  public void release(List<Event> some) {
    checkHolds(some, "released");
    byStream(some)
        .forEach(
            (stream, its) -> {
              groupOf(its.getFirst()).release(its);
              counts.released(its.size());
            });
  }

  @Override
  public List<Event> extend(List<Event> some) {
    checkHolds(some, "extended");
    Map<String, Set<EventId>> held = new HashMap<>();
    byStream(some).forEach((stream, its) -> held.put(stream, groupOf(its.getFirst()).renew(its)));
    List<Event> kept = some.stream().filter(event -> isIn(held, event)).toList();
    counts.extended(kept.size());
    return kept;
  }

  private static boolean isIn(Map<String, Set<EventId>> held, Event event) {
    return held.getOrDefault(event.stream(), Set.of()).contains(event.id());
  }

  private void checkHolds(List<Event> some, String what) {
    checkOpen();
    Objects.requireNonNull(some, () -> "The events to be " + what + " are null");
    if (options.noAck()) {
      throw new IllegalStateException(
          "Sink '%s' has no acknowledgements (SinkOptions.noAck), so its events cannot be %s; open it without withNoAck"
              .formatted(name, what));
    }
    some.forEach(event -> groupOf(Objects.requireNonNull(event, "An event is null")));
  }

  @Override
  public void renew(List<Event> some) {
    byStream(some).forEach((stream, its) -> groupOf(its.getFirst()).renew(its));
  }

  /** Each stream on a thread of its own, so that none waits for another; soon or not at all. */
  @Override
  public void giveBack(List<Event> some) {
    Threads.awaitEnd(
        byStream(some).values().stream()
            .map(
                its ->
                    Thread.ofVirtual().name("pulse-return-" + name).start(() -> tryGiveBack(its)))
            .toList());
  }

  private void tryGiveBack(List<Event> its) {
    try {
      groupOf(its.getFirst()).giveBack(its);
      counts.returned(its.size());
    } catch (RuntimeException failure) {
      LOG.log(Level.DEBUG, "Events could not be given back; they come after the grace", failure);
    }
  }

  private static Map<String, List<Event>> byStream(List<Event> some) {
    return some.stream().collect(Collectors.groupingBy(Event::stream));
  }

  @Override
  public boolean ack(Transaction tx, Event event) {
    return !ackAll(tx, List.of(Objects.requireNonNull(event, NO_EVENT))).isEmpty();
  }

  @Override
  public List<Event> ackAll(Transaction tx, List<Event> some) {
    checkOpen();
    Objects.requireNonNull(some, "The events to acknowledge are null");
    some.forEach(event -> groupOf(Objects.requireNonNull(event, NO_EVENT)));
    Map<String, Set<EventId>> acked = new HashMap<>();
    byStream(some)
        .forEach((stream, its) -> acked.put(stream, groupOf(its.getFirst()).ack(tx, its)));
    return some.stream().filter(event -> isIn(acked, event)).toList();
  }

  private StreamStore.Group groupOf(Event event) {
    StreamStore.Group group = groups.get(event.stream());
    if (group == null) {
      throw new IllegalArgumentException(
          "Sink '%s' does not consume stream '%s'; add it with addStream"
              .formatted(name, event.stream()));
    }
    return group;
  }

  @Override
  public void addStream(EventStream stream) {
    addStream(stream, options.start());
  }

  @Override
  public void addStream(EventStream stream, Start start) {
    checkOpen();
    StreamStore store = CheckedStream.storeOf(stream, backend);
    if (events.has(stream.name())) {
      return;
    }
    StreamStore.Group group = store.group(name, start, options);
    Pace pace =
        group.claimsEarly() && !options.noAck() && options.deliveriesMax().orElse(0) != 1
            ? Pace.ofBatches(options.batchMax())
            : Pace.alwaysSlow();
    events.add(
        stream.name(),
        new SinkSource(group, options, backend.time(), counts),
        pace,
        () -> groups.put(stream.name(), group));
  }

  @Override
  public void removeStream(EventStream stream) {
    checkOpen();
    events.remove(stream.name());
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(
          "This instance of sink '%s' is closed; open another one".formatted(name));
    }
  }

  @Override
  public SinkStatistics statistics() {
    int waiting = events.held();
    int running = 0;
    for (SinkSubscription each : subscriptions) {
      waiting += each.waiting();
      running += each.running();
    }
    return counts.with(waiting, running);
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    handles.remove(this);
    Threads.undisturbed(
        () -> {
          subscriptions.forEach(SinkSubscription::close);
          acks.close();
          events.close();
        });
  }
}
