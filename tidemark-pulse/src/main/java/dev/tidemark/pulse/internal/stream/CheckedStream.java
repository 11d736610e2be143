package dev.tidemark.pulse.internal.stream;

import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.EventTicket;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.ReaderOptions;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.spi.Backend;
import dev.tidemark.pulse.internal.spi.Names;
import dev.tidemark.pulse.internal.spi.NewEvent;
import dev.tidemark.pulse.internal.spi.StreamStore;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A stream over the {@link StreamStore} of a backend. */
public final class CheckedStream implements EventStream {
  private static final int ONCE_KEY_BYTES_MAX = 256;

  /** What an event name and a topic may take beside the payload. */
  private static final int LABEL_BYTES_MAX = 2_048;

  private final String name;
  private final StreamOptions options;
  private final Backend backend;
  private final OpenHandles handles;
  private final StreamStore store;

  public CheckedStream(String name, StreamOptions options, Backend backend, OpenHandles handles) {
    this.name = name;
    this.options = options;
    this.backend = backend;
    this.handles = handles;
    this.store = backend.stream(name, options);
  }

  /**
   * The store of {@code stream}.
   *
   * @throws IllegalArgumentException if it is not one of {@code backend}
   */
  static StreamStore storeOf(EventStream stream, Backend backend) {
    Objects.requireNonNull(stream, "The stream is null");
    if (stream instanceof CheckedStream backed && backed.backend.equals(backend)) {
      return backed.store;
    }
    throw new IllegalArgumentException(
        "Stream '%s' is of another Pulse; take it from the same one".formatted(stream.name()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public StreamOptions options() {
    return options;
  }

  @Override
  public EventId add(String event, String topic, byte[] payload) {
    return store.add(checked(event, topic, payload));
  }

  @Override
  public Optional<EventId> addIfExists(String event, String topic, byte[] payload) {
    return store.addIfExists(checked(event, topic, payload));
  }

  @Override
  public EventId addOnce(String key, String event, String topic, byte[] payload) {
    Objects.requireNonNull(key, "The key of addOnce is null; give one that is unique");
    if (key.isEmpty()) {
      throw new IllegalArgumentException("The key of addOnce is empty; give one that is unique");
    }
    Names.utf8("The key of addOnce", key, ONCE_KEY_BYTES_MAX);
    return store.addOnce(key, checked(event, topic, payload));
  }

  @Override
  public EventTicket add(Transaction tx, String event, String topic, byte[] payload) {
    Objects.requireNonNull(tx, "The transaction is null; without one, call add without it");
    return store.add(tx, checked(event, topic, payload));
  }

  private NewEvent checked(String event, String topic, byte[] payload) {
    handles.checkOpen();
    Names.utf8("The name of the event", event, LABEL_BYTES_MAX);
    Names.utf8("The topic", topic, LABEL_BYTES_MAX);
    Objects.requireNonNull(payload, "The payload is null; give no bytes for none");
    if (payload.length > options.payloadBytesMax()) {
      throw new IllegalArgumentException(
          "The payload of '%s' has %,d bytes; stream '%s' takes %,d (StreamOptions.payloadBytesMax). Keep it elsewhere and send where it is"
              .formatted(event, payload.length, name, options.payloadBytesMax()));
    }
    return new NewEvent(event, topic, payload.clone());
  }

  @Override
  public long remove(Collection<EventId> ids) {
    handles.checkOpen();
    Objects.requireNonNull(ids, "The ids of the events to remove are null");
    return ids.isEmpty() ? 0 : store.remove(ids);
  }

  @Override
  public void destroy() {
    handles.checkOpen();
    store.destroy();
  }

  @Override
  public long length() {
    handles.checkOpen();
    return store.length();
  }

  @Override
  public Reader reader(UnaryOperator<ReaderOptions> change) {
    handles.checkOpen();
    ReaderOptions chosen = change.apply(ReaderOptions.DEFAULTS);
    chosen.name().ifPresent(name -> Names.check("reader", name));
    FanInReader reader = handles.add(new FanInReader(backend, chosen, handles));
    return opened(reader, () -> reader.addStream(this));
  }

  @Override
  public Sink sink(String sink, UnaryOperator<SinkOptions> change) {
    handles.checkOpen();
    Names.check("sink", sink);
    SinkOptions chosen = change.apply(SinkOptions.DEFAULTS);
    FanInSink made = handles.add(new FanInSink(sink, backend, chosen, handles));
    return opened(made, () -> made.addStream(this));
  }

  /** {@code handle} after {@code first}; closed if that fails. */
  private static <T extends OpenHandles.Handle> T opened(T handle, Runnable first) {
    try {
      first.run();
      return handle;
    } catch (RuntimeException failure) {
      handle.close();
      throw failure;
    }
  }

  @Override
  public String toString() {
    return "EventStream(" + name + ")";
  }
}
