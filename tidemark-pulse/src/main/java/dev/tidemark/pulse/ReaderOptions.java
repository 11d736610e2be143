package dev.tidemark.pulse;

import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.pulse.internal.common.TopicFilters;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a {@link Reader} reads. Immutable; each {@code with} method returns a copy. */
public final class ReaderOptions {
  /** What applies where nothing else is said. */
  public static final ReaderOptions DEFAULTS = new ReaderOptions(new Draft());

  private final @Nullable String name;
  private final Start start;
  private final Duration block;
  private final int batchMax;
  private final int buffer;
  private final @Nullable String topic;
  private final @Nullable String topicPattern;

  private ReaderOptions(Draft draft) {
    name = draft.name;
    start = draft.start;
    block = draft.block;
    batchMax = draft.batchMax;
    buffer = draft.buffer;
    topic = draft.topic;
    topicPattern = draft.topicPattern;
    OptionChecks.positive("block", block);
    OptionChecks.positive("batchMax", batchMax);
    OptionChecks.positive("buffer", buffer);
    TopicFilters.check(topic, topicPattern);
  }

  /**
   * The name of its durable cursor, which goes with its stream when that expires or is destroyed.
   * Default: none.
   */
  public Optional<String> name() {
    return Optional.ofNullable(name);
  }

  /**
   * Where it begins, unless its durable cursor says so; stored when a reader of a new name joins.
   * Default: newest.
   */
  public Start start() {
    return start;
  }

  /** How long {@link Reader#read} waits for an event. Default 5 seconds. */
  public Duration block() {
    return block;
  }

  /** The most events of one read. Default 1,000. */
  public int batchMax() {
    return batchMax;
  }

  /** How many events may wait for a slow subscriber. Default 1,000. */
  public int buffer() {
    return buffer;
  }

  /** The only topic that is wanted. Default: all topics. */
  public Optional<String> topic() {
    return Optional.ofNullable(topic);
  }

  /** A regular expression that has to be found in the topic. Default: all topics. */
  public Optional<String> topicPattern() {
    return Optional.ofNullable(topicPattern);
  }

  /** These options with a durable cursor of this name. */
  public ReaderOptions withName(String cursor) {
    Draft draft = new Draft(this);
    draft.name = cursor;
    return new ReaderOptions(draft);
  }

  /** These options with another place to begin. */
  public ReaderOptions withStart(Start place) {
    Draft draft = new Draft(this);
    draft.start = place;
    return new ReaderOptions(draft);
  }

  /** These options with another longest wait for an event. */
  public ReaderOptions withBlock(Duration time) {
    Draft draft = new Draft(this);
    draft.block = time;
    return new ReaderOptions(draft);
  }

  /** These options with another largest batch. */
  public ReaderOptions withBatchMax(int events) {
    Draft draft = new Draft(this);
    draft.batchMax = events;
    return new ReaderOptions(draft);
  }

  /** These options with room for another number of events before a subscriber. */
  public ReaderOptions withBuffer(int events) {
    Draft draft = new Draft(this);
    draft.buffer = events;
    return new ReaderOptions(draft);
  }

  /** These options for events with exactly this topic. */
  public ReaderOptions withTopic(String only) {
    Draft draft = new Draft(this);
    draft.topic = only;
    return new ReaderOptions(draft);
  }

  /** These options for events in whose topic {@code regex} finds something. */
  public ReaderOptions withTopicPattern(String regex) {
    Draft draft = new Draft(this);
    draft.topicPattern = regex;
    return new ReaderOptions(draft);
  }

  /** What a copy is made from. */
  private static final class Draft {
    private @Nullable String name;
    private Start start = Start.newest();
    private Duration block = Duration.ofSeconds(5);
    private int batchMax = 1_000;
    private int buffer = 1_000;
    private @Nullable String topic;
    private @Nullable String topicPattern;

    Draft() {}

    Draft(ReaderOptions from) {
      name = from.name;
      start = from.start;
      block = from.block;
      batchMax = from.batchMax;
      buffer = from.buffer;
      topic = from.topic;
      topicPattern = from.topicPattern;
    }
  }
}
