package dev.tidemark.pulse;

import java.time.Instant;

/** An event of a stream, as a reader or a sink gets it. */
public final class Event {
  private final EventId id;
  private final String stream;
  private final String name;
  private final String topic;
  private final byte[] payload;
  private final Instant createdAt;
  private final int deliveries;

  /**
   * An event.
   *
   * @param topic empty for none
   * @param payload taken over, not copied
   * @param deliveries how often a sink has handed it out, this time included; 1 for readers
   */
  public Event(
      EventId id,
      String stream,
      String name,
      String topic,
      byte[] payload,
      Instant createdAt,
      int deliveries) {
    this.id = id;
    this.stream = stream;
    this.name = name;
    this.topic = topic;
    this.payload = payload;
    this.createdAt = createdAt;
    this.deliveries = deliveries;
  }

  /** Its place in the stream. */
  public EventId id() {
    return id;
  }

  /** The name of the stream. */
  public String stream() {
    return stream;
  }

  /** What kind of event it is: {@code user.created}. */
  public String name() {
    return name;
  }

  /** Its topic; empty if it has none. */
  public String topic() {
    return topic;
  }

  /** A copy of what it carries. */
  public byte[] payload() {
    return payload.clone();
  }

  /**
   * When it was added, by the clock of the store, to the millisecond; never later, so that {@link
   * Start#at} this time begins no later than with this event. On a cluster, whose clock is known
   * from samples, it can be some milliseconds too early, and a ten-thousandth of the time that the
   * events of one read span.
   */
  public Instant createdAt() {
    return createdAt;
  }

  /** How often a sink has handed it out, this time included; 1 for readers. */
  public int deliveries() {
    return deliveries;
  }

  @Override
  public String toString() {
    return "Event(%s %s, %s%s, %,d bytes)"
        .formatted(stream, id, name, topic.isEmpty() ? "" : " about " + topic, payload.length);
  }
}
