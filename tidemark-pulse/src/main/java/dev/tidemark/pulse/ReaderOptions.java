package dev.tidemark.pulse;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Reader} reads.
 *
 * @param name the name of its durable cursor; null for a reader without one. Default null
 * @param start where it begins, unless its durable cursor says so. Default newest
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
}
