package dev.tidemark.loader;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.loader.internal.json.JsonReader;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.StreamOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The events of a stream as messages, through a sink that loaders of the same name share.
 *
 * <p>The body of a message is the payload; its attributes are {@code name} and {@code topic}, or
 * what {@link Options#withAttributes} makes of the event. Its id is that of the event with leading
 * zeros, so that events of the same millisecond keep their order.
 */
public final class StreamSource implements MessageSource {
  private static final Duration BLOCK = Duration.ofSeconds(1);

  /**
   * Events that were read together are acknowledged in one write, which cannot hold more than this
   * number.
   */
  private static final int REQUEST_MAX = 16_000;

  private static final int MINOR_DIGITS = 10;
  private static final int ID_CHARS = 32;

  private final EventStream stream;
  private final Sink sink;
  private final Options options;

  private StreamSource(EventStream stream, Sink sink, Options options) {
    this.stream = stream;
    this.sink = sink;
    this.options = options;
  }

  /** The events of {@code stream} from the oldest on, through the sink {@code name}. */
  public static StreamSource open(EventStream stream, String name) {
    return open(stream, name, UnaryOperator.identity());
  }

  /**
   * The events of {@code stream} through the sink {@code name}.
   *
   * @throws IllegalArgumentException if the stream may drop events before they are loaded: its
   *     handle has to say {@code lengthMax} 0 and no time to live, or the options {@link
   *     Options#acceptingLoss}
   */
  public static StreamSource open(EventStream stream, String name, UnaryOperator<Options> options) {
    Options chosen = options.apply(Options.defaults());
    if (!chosen.acceptsLoss) {
      refuseBounded(stream);
    }
    Sink sink =
        stream.sink(
            name,
            o ->
                o.withStart(chosen.start)
                    .withAckGrace(chosen.lease)
                    .withBatchMax(chosen.readMax)
                    .withBlock(BLOCK));
    return new StreamSource(stream, sink, chosen);
  }

  private static void refuseBounded(EventStream stream) {
    StreamOptions options = stream.options();
    if (!options.keepsAll()) {
      OptionalLong lengthMax = options.lengthMax();
      throw new IllegalArgumentException(
          "Stream '%s' keeps %s events: those that come faster than they are loaded are lost. Open it with keepingAll(), or accept the loss with StreamSource.Options.acceptingLoss()"
              .formatted(
                  stream.name(),
                  lengthMax.isPresent()
                      ? "%,d".formatted(lengthMax.getAsLong())
                      : "%,d or another number of".formatted(StreamOptions.LENGTH_MAX_AT_FIRST)));
    }
    if (options.timeToLive().isPresent()) {
      throw new IllegalArgumentException(
          "Stream '%s' lives for %s: events that are not loaded by then are lost. Open it without a time to live, or accept the loss with StreamSource.Options.acceptingLoss()"
              .formatted(stream.name(), options.timeToLive().get()));
    }
  }

  @Override
  public String name() {
    return stream.name() + "/" + sink.name();
  }

  @Override
  public void begin(Optional<String> position) {}

  @Override
  public List<Message> pull(int max, Duration wait) {
    return called(() -> sink.read().stream().map(this::message).toList());
  }

  private Message message(Event event) {
    return Message.delivered(
        id(event.id()),
        event.createdAt(),
        options.attributes.apply(event),
        event.payload(),
        event.deliveries(),
        event);
  }

  private static String id(EventId id) {
    String minor = Long.toString(id.minor());
    StringBuilder text = new StringBuilder(ID_CHARS).append(id.major()).append('-');
    for (int digits = minor.length(); digits < MINOR_DIGITS; digits++) {
      text.append('0');
    }
    return text.append(minor).toString();
  }

  @Override
  public Acknowledged ack(List<Message> messages) {
    return called(
        () -> {
          sink.ackAll(events(messages));
          return new Acknowledged(messages.size(), 0);
        });
  }

  @Override
  public void nack(List<Message> messages) {
    int unused =
        called(
            () -> {
              sink.release(events(messages));
              return messages.size();
            });
  }

  @Override
  public void extend(List<Message> messages) {
    List<Event> unused = called(() -> sink.extend(events(messages)));
  }

  private static List<Event> events(List<Message> messages) {
    return messages.stream().map(message -> (Event) message.receipt()).toList();
  }

  private static <T> T called(Supplier<T> call) {
    try {
      return call.get();
    } catch (InterruptedOperationException interrupt) {
      throw interrupt;
    } catch (DatabaseException | PulseException failure) {
      throw SourceException.passing(String.valueOf(failure.getMessage()), failure);
    }
  }

  @Override
  public boolean inOrder() {
    return false;
  }

  @Override
  public int requestMax() {
    return REQUEST_MAX;
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(options.lease);
  }

  @Override
  public void close() {
    sink.close();
  }

  /**
   * Attributes of events whose payload is a JSON object of texts, beside {@code name} and {@code
   * topic}. A payload that is none gives no others, so that the mapping refuses the message.
   */
  public static Function<Event, Map<String, String>> jsonAttributes() {
    return event -> {
      Map<String, String> attributes = new HashMap<>();
      attributes.put("name", event.name());
      attributes.put("topic", event.topic());
      try {
        JsonReader.object(event.payload())
            .forEach(
                (name, value) -> {
                  if (value instanceof String text) {
                    attributes.put(name, text);
                  }
                });
      } catch (IllegalArgumentException malformed) {
        return nameAndTopic(event);
      }
      return attributes;
    };
  }

  private static Map<String, String> nameAndTopic(Event event) {
    return Map.of("name", event.name(), "topic", event.topic());
  }

  /** How a stream is read. */
  public static final class Options {
    private final Start start;
    private final Duration lease;
    private final int readMax;
    private final boolean acceptsLoss;
    private final Function<Event, Map<String, String>> attributes;

    private Options(
        Start start,
        Duration lease,
        int readMax,
        boolean acceptsLoss,
        Function<Event, Map<String, String>> attributes) {
      this.start = start;
      this.lease = lease;
      this.readMax = readMax;
      this.acceptsLoss = acceptsLoss;
      this.attributes = attributes;
    }

    /**
     * From the oldest event on, leases of 20 seconds, at most 2,048 events a read, no loss, and
     * name and topic as attributes.
     */
    public static Options defaults() {
      return new Options(
          Start.oldest(), Duration.ofSeconds(20), 2_048, false, StreamSource::nameAndTopic);
    }

    /** These options with another place where a new sink begins. */
    public Options withStart(Start place) {
      return new Options(place, lease, readMax, acceptsLoss, attributes);
    }

    /**
     * These options with another time after which the events of a crashed loader go to another one.
     */
    public Options withLease(Duration time) {
      return new Options(start, time, readMax, acceptsLoss, attributes);
    }

    /**
     * These options with another largest read, 4,000 at most; a pull never brings more. Reads that
     * fill a batch exactly are the cheapest to acknowledge.
     */
    public Options withReadMax(int events) {
      return new Options(start, lease, events, acceptsLoss, attributes);
    }

    /** These options for a stream that may drop events before they are loaded. */
    public Options acceptingLoss() {
      return new Options(start, lease, readMax, true, attributes);
    }

    /** These options with other attributes of messages. */
    public Options withAttributes(Function<Event, Map<String, String>> function) {
      return new Options(start, lease, readMax, acceptsLoss, function);
    }
  }
}
