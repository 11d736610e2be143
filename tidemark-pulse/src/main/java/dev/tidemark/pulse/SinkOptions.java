package dev.tidemark.pulse;

import dev.tidemark.pulse.internal.common.OptionChecks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Sink} consumes. The instances of a sink have to agree on {@code ackGrace}, {@code
 * noAck}, {@code deliveriesMax}, {@code deadLetters}, {@code topic} and {@code topicPattern}: one
 * that does not is refused while others live, that is, have asked for events within two graces.
 *
 * @param start where the sink begins if no instance of it was there before. Default newest
 * @param block how long {@link Sink#read} waits for an event. Default 5 seconds
 * @param batchMax most events of one read. Default 1,000
 * @param buffer how many events may wait for the handler. Default 1,000
 * @param ackGrace how long an instance has to acknowledge before an event goes to another. Default
 *     20 seconds
 * @param noAck whether events count as acknowledged when they are handed out. Default no
 * @param parallel how many events the handler gets at a time. Default 1
 * @param deliveriesMax how often an event is delivered before it goes to the dead-letter stream; 0
 *     for without end. Default 0
 * @param deadLetters the name of the dead-letter stream, which keeps every {@link DeadLetter}; null
 *     for that of the stream with {@code :dead} behind it. Default null
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

  /** Refuses values that make no sense. */
  public SinkOptions {
    OptionChecks.positive("block", block);
    OptionChecks.positive("batchMax", batchMax);
    OptionChecks.positive("buffer", buffer);
    OptionChecks.positive("ackGrace", ackGrace);
    OptionChecks.positive("parallel", parallel);
    OptionChecks.filter(topic, topicPattern);
    if (deliveriesMax < 0) {
      throw new IllegalArgumentException(
          "deliveriesMax is " + deliveriesMax + "; it must be positive, or 0 for no end");
    }
    if (noAck && deliveriesMax > 0) {
      throw new IllegalArgumentException(
          "noAck is true and deliveriesMax is %d; without acknowledgements nothing is delivered twice"
              .formatted(deliveriesMax));
    }
    if (deadLetters != null && deliveriesMax == 0) {
      throw new IllegalArgumentException(
          "deadLetters is '%s' and deliveriesMax is 0; set how often an event is delivered before"
                  .formatted(deadLetters)
              + " it goes there");
    }
  }

  /** These options with another place to begin. */
  public SinkOptions withStart(Start place) {
    return new SinkOptions(
        place,
        block,
        batchMax,
        buffer,
        ackGrace,
        noAck,
        parallel,
        deliveriesMax,
        deadLetters,
        topic,
        topicPattern);
  }

  /** These options with another longest wait for an event. */
  public SinkOptions withBlock(Duration time) {
    return new SinkOptions(
        start,
        time,
        batchMax,
        buffer,
        ackGrace,
        noAck,
        parallel,
        deliveriesMax,
        deadLetters,
        topic,
        topicPattern);
  }

  /** These options with another largest batch. */
  public SinkOptions withBatchMax(int events) {
    return new SinkOptions(
        start,
        block,
        events,
        buffer,
        ackGrace,
        noAck,
        parallel,
        deliveriesMax,
        deadLetters,
        topic,
        topicPattern);
  }

  /** These options with room for another number of events before the handler. */
  public SinkOptions withBuffer(int events) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        events,
        ackGrace,
        noAck,
        parallel,
        deliveriesMax,
        deadLetters,
        topic,
        topicPattern);
  }

  /** These options with another time to acknowledge; the same for all instances. */
  public SinkOptions withAckGrace(Duration time) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        buffer,
        time,
        noAck,
        parallel,
        deliveriesMax,
        deadLetters,
        topic,
        topicPattern);
  }

  /** These options with or without events that count as acknowledged when they are handed out. */
  public SinkOptions withNoAck(boolean on) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        buffer,
        ackGrace,
        on,
        parallel,
        deliveriesMax,
        deadLetters,
        topic,
        topicPattern);
  }

  /** These options with another number of events that the handler gets at a time. */
  public SinkOptions withParallel(int events) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        buffer,
        ackGrace,
        noAck,
        events,
        deliveriesMax,
        deadLetters,
        topic,
        topicPattern);
  }

  /**
   * These options with another number of deliveries before an event is a dead letter; 0 for no end.
   */
  public SinkOptions withDeliveriesMax(int deliveries) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        buffer,
        ackGrace,
        noAck,
        parallel,
        deliveries,
        deadLetters,
        topic,
        topicPattern);
  }

  /** These options with dead letters in {@code stream} after {@code deliveries} deliveries. */
  public SinkOptions withDeadLetters(int deliveries, String stream) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        buffer,
        ackGrace,
        noAck,
        parallel,
        deliveries,
        stream,
        topic,
        topicPattern);
  }

  /** These options for events with exactly this topic. */
  public SinkOptions withTopic(String only) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        buffer,
        ackGrace,
        noAck,
        parallel,
        deliveriesMax,
        deadLetters,
        only,
        topicPattern);
  }

  /** These options for events in whose topic {@code regex} finds something. */
  public SinkOptions withTopicPattern(String regex) {
    return new SinkOptions(
        start,
        block,
        batchMax,
        buffer,
        ackGrace,
        noAck,
        parallel,
        deliveriesMax,
        deadLetters,
        topic,
        regex);
  }
}
