package dev.tidemark.pulse;

import dev.tidemark.pulse.internal.common.OptionChecks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Reader} reads.
 *
 * @param name the name of its durable cursor; null for a reader without one. The cursor goes with
 *     its stream when that expires or is destroyed; then the name is new again. Default null
 * @param start where it begins, unless its durable cursor says so; that is stored when a reader of
 *     a new name joins. Default newest
 * @param block how long {@link Reader#read} waits for an event. Default 5 seconds
 * @param batchMax most events of one read. Default 1,000
 * @param buffer how many events may wait for a slow subscriber. Default 1,000
 * @param topic only events with exactly this topic; null for all. Default null
 * @param topicPattern only events in whose topic this regular expression finds something; null for
 *     all. Default null
 */
public record ReaderOptions(
    @Nullable String name,
    Start start,
    Duration block,
    int batchMax,
    int buffer,
    @Nullable String topic,
    @Nullable String topicPattern) {
  /** What applies where nothing else is said. */
  public static final ReaderOptions DEFAULTS =
      new ReaderOptions(null, Start.newest(), Duration.ofSeconds(5), 1_000, 1_000, null, null);

  /** Refuses values that make no sense. */
  public ReaderOptions {
    OptionChecks.positive("block", block);
    OptionChecks.positive("batchMax", batchMax);
    OptionChecks.positive("buffer", buffer);
    OptionChecks.filter(topic, topicPattern);
  }

  /** These options with a durable cursor of this name. */
  public ReaderOptions withName(String cursor) {
    return new ReaderOptions(cursor, start, block, batchMax, buffer, topic, topicPattern);
  }

  /** These options with another place to begin. */
  public ReaderOptions withStart(Start place) {
    return new ReaderOptions(name, place, block, batchMax, buffer, topic, topicPattern);
  }

  /** These options with another longest wait for an event. */
  public ReaderOptions withBlock(Duration time) {
    return new ReaderOptions(name, start, time, batchMax, buffer, topic, topicPattern);
  }

  /** These options with another largest batch. */
  public ReaderOptions withBatchMax(int events) {
    return new ReaderOptions(name, start, block, events, buffer, topic, topicPattern);
  }

  /** These options with room for another number of events before a subscriber. */
  public ReaderOptions withBuffer(int events) {
    return new ReaderOptions(name, start, block, batchMax, events, topic, topicPattern);
  }

  /** These options for events with exactly this topic. */
  public ReaderOptions withTopic(String only) {
    return new ReaderOptions(name, start, block, batchMax, buffer, only, topicPattern);
  }

  /** These options for events in whose topic {@code regex} finds something. */
  public ReaderOptions withTopicPattern(String regex) {
    return new ReaderOptions(name, start, block, batchMax, buffer, topic, regex);
  }
}
