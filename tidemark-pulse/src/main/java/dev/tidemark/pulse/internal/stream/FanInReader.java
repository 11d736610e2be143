package dev.tidemark.pulse.internal.stream;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.ReaderOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.internal.spi.StreamStore;
import dev.tidemark.pulse.internal.spi.TopicFilter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A reader over the streams of a backend. */
final class FanInReader implements Reader, OpenHandles.Handle {
  private final Backend backend;
  private final ReaderOptions options;
  private final OpenHandles handles;
  private final TopicFilter filter;
  private final FanIn events;
  private final Map<String, StreamStore> stores = new ConcurrentHashMap<>();
  private final List<EventBuffer> subscribers = new CopyOnWriteArrayList<>();

  private volatile boolean closed;

  // Guarded by this.
  private @Nullable Pump pump;

  FanInReader(Backend backend, ReaderOptions options, OpenHandles handles) {
    this.backend = backend;
    this.options = options;
    this.handles = handles;
    this.filter = TopicFilter.of(options);
    this.events = new FanIn(backend.time(), options.block(), FanIn.ALWAYS);
  }

  @Override
  public List<Event> read() {
    checkOpen();
    if (!subscribers.isEmpty()) {
      throw new IllegalStateException(
          "The reader has subscriptions, which get all events; close them, or read with another");
    }
    return events.take(options.block());
  }

  @Override
  public Subscription subscribe(Consumer<Event> handler) {
    checkOpen();
    Objects.requireNonNull(handler, "The handler is null; without one, call read");
    EventBuffer[] made = new EventBuffer[1];
    EventBuffer buffer =
        new EventBuffer(options.buffer(), handler, () -> subscribers.remove(made[0]));
    made[0] = buffer;
    buffer.start(1);
    synchronized (this) {
      subscribers.add(buffer);
      if (pump == null && !closed) {
        pump = new Pump("reader", backend.time(), this::next, this::publish, this::fail).start();
      }
    }
    if (closed) {
      buffer.close();
    }
    return buffer;
  }

  /** The next events; none while there is nobody to get them. */
  private List<Event> next() {
    if (!subscribers.isEmpty()) {
      return events.take(options.block());
    }
    synchronized (this) {
      if (subscribers.isEmpty() && pump != null) {
        pump.retire();
        pump = null;
      }
    }
    return List.of();
  }

  private void publish(Event event) throws InterruptedException {
    for (EventBuffer subscriber : subscribers) {
      subscriber.put(event);
    }
  }

  private void fail(RuntimeException cause) {
    subscribers.forEach(subscriber -> subscriber.fail(cause));
  }

  @Override
  public void ack(Event event) {
    checkOpen();
    Objects.requireNonNull(event, "The event to acknowledge is null");
    String name = options.name().orElse(null);
    if (name == null) {
      throw new IllegalStateException(
          "The reader has no name, so there is no cursor to move; set ReaderOptions.withName");
    }
    StreamStore store = stores.get(event.stream());
    if (store == null) {
      throw new IllegalArgumentException(
          "The reader '%s' does not read stream '%s'".formatted(name, event.stream()));
    }
    store.moveCursor(name, event.id());
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
    EventId position = position(store, start);
    events.add(
        stream.name(),
        new ReaderSource(store.tail(), position, filter, options.batchMax(), backend.time()),
        Pace.alwaysSlow(),
        () -> stores.put(stream.name(), store));
  }

  private EventId position(StreamStore store, Start start) {
    String name = options.name().orElse(null);
    return name == null ? store.position(start) : store.cursor(name, start);
  }

  @Override
  public void removeStream(EventStream stream) {
    checkOpen();
    events.remove(stream.name());
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The reader is closed; open another one");
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    Pump running;
    synchronized (this) {
      closed = true;
      running = pump;
      pump = null;
    }
    handles.remove(this);
    if (running != null) {
      running.close();
    }
    subscribers.forEach(EventBuffer::close);
    events.close();
  }
}
