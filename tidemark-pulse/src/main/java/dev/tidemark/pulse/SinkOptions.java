package dev.tidemark.pulse;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Sink} consumes.
 *
 * @param start where the sink begins if no instance of it was there before. Default newest
 * @param block how long {@link Sink#read} waits for an event. Default 5 seconds
 * @param batchMax most events of one read. Default 1,000
 * @param buffer how many events may wait for the handler. Default 1,000
 * @param ackGrace how long an instance has to acknowledge before an event goes to another. The same
 *     for all instances; a different one is refused. Default 20 seconds
 * @param noAck whether events count as acknowledged when they are handed out. Default no
 * @param parallel how many events the handler gets at a time. Default 1
 * @param deliveriesMax how often an event is delivered before it goes to the dead-letter stream; 0
 *     for without end. Default 0
 * @param deadLetters the name of the dead-letter stream; null for that of the stream with {@code
 *     :dead} behind it. Default null
 * @param topic only events with exactly this topic; null for all. Others count as acknowledged
 * @param topicPattern only events in whose topic this regular expression finds something; null for
 *     all
 */
public record SinkOptions(
    Start start,
    Duration block,
    int batchMax,
    int buffer,
    Duration ackGrace,
    boolean noAck,
    int parallel,
    int deliveriesMax,
    @Nullable String deadLetters,
    @Nullable String topic,
    @Nullable String topicPattern) {
  /** What applies where nothing else is said. */
  public static final SinkOptions DEFAULTS =
      new SinkOptions(
          Start.newest(),
          Duration.ofSeconds(5),
          1_000,
          1_000,
          Duration.ofSeconds(20),
          false,
          1,
          0,
          null,
          null,
          null);
}
