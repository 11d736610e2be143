package dev.tidemark.pulse;

import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.pulse.internal.common.TopicFilters;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Sink} consumes. Immutable; each {@code with} method returns a copy.
 *
 * <p>The instances of a sink have to agree on {@code ackGrace}, {@code noAck}, {@code
 * deliveriesMax}, {@code deadLetters}, {@code topic} and {@code topicPattern}: one that does not is
 * refused while others live, that is, have asked for events within two graces.
 */
public final class SinkOptions {
  /** What applies where nothing else is said. */
  public static final SinkOptions DEFAULTS = new SinkOptions(new Draft());

  private final Start start;
  private final Duration block;
  private final int batchMax;
  private final int buffer;
  private final Duration ackGrace;
  private final boolean noAck;
  private final int parallel;
  private final @Nullable Integer deliveriesMax;
  private final @Nullable String deadLetters;
  private final @Nullable String topic;
  private final @Nullable String topicPattern;
  private final Consumer<LostEvents> lossListener;

  private SinkOptions(Draft draft) {
    start = draft.start;
    block = draft.block;
    batchMax = draft.batchMax;
    buffer = draft.buffer;
    ackGrace = draft.ackGrace;
    noAck = draft.noAck;
    parallel = draft.parallel;
    deliveriesMax = draft.deliveriesMax;
    deadLetters = draft.deadLetters;
    topic = draft.topic;
    topicPattern = draft.topicPattern;
    lossListener = draft.lossListener;
    OptionChecks.positive("block", block);
    OptionChecks.positive("batchMax", batchMax);
    OptionChecks.positive("buffer", buffer);
    OptionChecks.milliseconds("ackGrace", ackGrace);
    OptionChecks.positive("parallel", parallel);
    TopicFilters.check(topic, topicPattern);
    if (deliveriesMax != null) {
      OptionChecks.positive("deliveriesMax", deliveriesMax);
    }
    if (noAck && deliveriesMax != null) {
      throw UsageException.invalidOption(
          "noAck is true and deliveriesMax is %d; without acknowledgements nothing is delivered twice"
              .formatted(deliveriesMax));
    }
  }

  /** Where the sink begins if no instance of it was there before. Default: newest. */
  public Start start() {
    return start;
  }

  /** How long {@link Sink#read} waits for an event. Default 5 seconds. */
  public Duration block() {
    return block;
  }

  /** The most events of one read. Default 1,000. */
  public int batchMax() {
    return batchMax;
  }

  /** How many events may wait for the handler. Default 1,000. */
  public int buffer() {
    return buffer;
  }

  /**
   * How long an instance has to acknowledge before an event goes to another. Default 20 seconds.
   */
  public Duration ackGrace() {
    return ackGrace;
  }

  /** Whether events count as acknowledged when they are handed out. Default: no. */
  public boolean noAck() {
    return noAck;
  }

  /** How many events the handler gets at a time. Default 1. */
  public int parallel() {
    return parallel;
  }

  /** How often an event is delivered before it becomes a dead letter. Default: no limit. */
  public OptionalInt deliveriesMax() {
    return deliveriesMax == null ? OptionalInt.empty() : OptionalInt.of(deliveriesMax);
  }

  /**
   * The stream that keeps every {@link DeadLetter}. Default: the stream's name with {@code :dead}.
   */
  public Optional<String> deadLetters() {
    return Optional.ofNullable(deadLetters);
  }

  /**
   * The only topic that is wanted; events with others count as acknowledged. Default: all topics.
   */
  public Optional<String> topic() {
    return Optional.ofNullable(topic);
  }

  /** A regular expression that has to be found in the topic. Default: all topics. */
  public Optional<String> topicPattern() {
    return Optional.ofNullable(topicPattern);
  }

  /**
   * What is told of events that the stream dropped by its length before any instance of the sink
   * got them. Default: nobody; a warning is logged for the first ones of each stream.
   */
  public Consumer<LostEvents> lossListener() {
    return lossListener;
  }

  /** These options with another place to begin. */
  public SinkOptions withStart(Start place) {
    Draft draft = new Draft(this);
    draft.start = place;
    return new SinkOptions(draft);
  }

  /** These options with another longest wait for an event. */
  public SinkOptions withBlock(Duration time) {
    Draft draft = new Draft(this);
    draft.block = time;
    return new SinkOptions(draft);
  }

  /** These options with another largest batch. */
  public SinkOptions withBatchMax(int events) {
    Draft draft = new Draft(this);
    draft.batchMax = events;
    return new SinkOptions(draft);
  }

  /** These options with room for another number of events before the handler. */
  public SinkOptions withBuffer(int events) {
    Draft draft = new Draft(this);
    draft.buffer = events;
    return new SinkOptions(draft);
  }

  /** These options with another time to acknowledge; the same for all instances. */
  public SinkOptions withAckGrace(Duration time) {
    Draft draft = new Draft(this);
    draft.ackGrace = time;
    return new SinkOptions(draft);
  }

  /** These options with or without events that count as acknowledged when they are handed out. */
  public SinkOptions withNoAck(boolean on) {
    Draft draft = new Draft(this);
    draft.noAck = on;
    return new SinkOptions(draft);
  }

  /** These options with another number of events that the handler gets at a time. */
  public SinkOptions withParallel(int events) {
    Draft draft = new Draft(this);
    draft.parallel = events;
    return new SinkOptions(draft);
  }

  /**
   * These options with dead letters after {@code deliveries} deliveries, in the stream's own {@code
   * :dead}.
   */
  public SinkOptions withDeliveriesMax(int deliveries) {
    Draft draft = new Draft(this);
    draft.deliveriesMax = deliveries;
    return new SinkOptions(draft);
  }

  /** These options with events that are delivered until they are acknowledged, however often. */
  public SinkOptions withUnlimitedDeliveries() {
    Draft draft = new Draft(this);
    draft.deliveriesMax = null;
    draft.deadLetters = null;
    return new SinkOptions(draft);
  }

  /** These options with dead letters in {@code stream} after {@code deliveries} deliveries. */
  public SinkOptions withDeadLetters(int deliveries, String stream) {
    Draft draft = new Draft(this);
    draft.deliveriesMax = deliveries;
    draft.deadLetters = stream;
    return new SinkOptions(draft);
  }

  /** These options for events with exactly this topic. */
  public SinkOptions withTopic(String only) {
    Draft draft = new Draft(this);
    draft.topic = only;
    return new SinkOptions(draft);
  }

  /** These options for events in whose topic {@code regex} finds something. */
  public SinkOptions withTopicPattern(String regex) {
    Draft draft = new Draft(this);
    draft.topicPattern = regex;
    return new SinkOptions(draft);
  }

  /**
   * These options with another listener for events that the stream dropped before the sink got
   * them. It is called by the thread that fetches events, in the instance that notices, before the
   * events behind the loss are delivered, and should return soon; what it throws is logged. On
   * Redis it learns of what this library drops when it adds events, not of what others trim.
   */
  public SinkOptions withLossListener(Consumer<LostEvents> listener) {
    Draft draft = new Draft(this);
    draft.lossListener = Objects.requireNonNull(listener, "The listener for lost events is null");
    return new SinkOptions(draft);
  }

  /** What a copy is made from. */
  private static final class Draft {
    private Start start = Start.newest();
    private Duration block = Duration.ofSeconds(5);
    private int batchMax = 1_000;
    private int buffer = 1_000;
    private Duration ackGrace = Duration.ofSeconds(20);
    private boolean noAck;
    private int parallel = 1;
    private @Nullable Integer deliveriesMax;
    private @Nullable String deadLetters;
    private @Nullable String topic;
    private @Nullable String topicPattern;
    private Consumer<LostEvents> lossListener = lost -> {};

    Draft() {}

    Draft(SinkOptions from) {
      start = from.start;
      block = from.block;
      batchMax = from.batchMax;
      buffer = from.buffer;
      ackGrace = from.ackGrace;
      noAck = from.noAck;
      parallel = from.parallel;
      deliveriesMax = from.deliveriesMax;
      deadLetters = from.deadLetters;
      topic = from.topic;
      topicPattern = from.topicPattern;
      lossListener = from.lossListener;
    }
  }
}
