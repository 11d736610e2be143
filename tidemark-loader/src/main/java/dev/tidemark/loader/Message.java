package dev.tidemark.loader;

import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/**
 * A message as a source delivers it. Two deliveries of one message have the same {@link #id} and
 * different receipts.
 */
public final class Message implements Comparable<Message> {
  private static final int OVERHEAD_BYTES = 64;
  private static final int NANOS_A_MICRO = 1_000;

  private final String id;
  private final Instant publishedAt;
  private final Map<String, String> attributes;
  private final byte[] body;
  private final int deliveries;
  private final Object receipt;
  private final String position;
  private final int bytes;

  private Message(
      String id,
      Instant publishedAt,
      Map<String, String> attributes,
      byte[] body,
      int deliveries,
      Object receipt,
      String position,
      int bytes) {
    this.id = id;
    this.publishedAt = publishedAt;
    this.attributes = attributes;
    this.body = body;
    this.deliveries = deliveries;
    this.receipt = receipt;
    this.position = position;
    this.bytes = bytes;
  }

  /**
   * A message delivered for the first time, whose receipt is its id.
   *
   * @param id what the source calls it; orders messages of the same time
   * @param publishedAt when it was published; kept to the microsecond, as warehouses do
   * @param attributes copied
   * @param body taken over, not copied
   */
  public static Message of(
      String id, Instant publishedAt, Map<String, String> attributes, byte[] body) {
    return delivered(id, publishedAt, attributes, body, 1, id);
  }

  /** As {@link #of}, delivered {@code deliveries} times by now and acknowledged by a receipt. */
  static Message delivered(
      String id,
      Instant publishedAt,
      Map<String, String> attributes,
      byte[] body,
      int deliveries,
      Object receipt) {
    Map<String, String> copy = Map.copyOf(attributes);
    return new Message(
        id, toMicros(publishedAt), copy, body, deliveries, receipt, "", bytes(id, copy, body));
  }

  /** Warehouses keep microseconds. */
  static Instant toMicros(Instant moment) {
    return moment.getLong(ChronoField.NANO_OF_SECOND) % NANOS_A_MICRO == 0
        ? moment
        : moment.truncatedTo(ChronoUnit.MICROS);
  }

  /** Counted once and while the texts are in the cache of the processor. */
  private static int bytes(String id, Map<String, String> attributes, byte[] body) {
    int bytes = OVERHEAD_BYTES + id.length() + body.length;
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      bytes += attribute.getKey().length() + attribute.getValue().length();
    }
    return bytes;
  }

  /** This message, delivered {@code times} times by now. */
  public Message withDeliveries(int times) {
    return new Message(id, publishedAt, attributes, body, times, receipt, position, bytes);
  }

  /** This message with what its source acknowledges it by. */
  public Message withReceipt(Object token) {
    return new Message(id, publishedAt, attributes, body, deliveries, token, position, bytes);
  }

  /** This message with its place in a source that delivers in order. */
  public Message withPosition(String place) {
    return new Message(id, publishedAt, attributes, body, deliveries, receipt, place, bytes);
  }

  /** What the source calls the message. */
  public String id() {
    return id;
  }

  /** When it was published, to the microsecond. */
  public Instant publishedAt() {
    return publishedAt;
  }

  /** Its attributes. */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** A copy of its body. */
  public byte[] body() {
    return body.clone();
  }

  /** How often it was delivered, this time included. */
  public int deliveries() {
    return deliveries;
  }

  /** What its source acknowledges this delivery by. */
  public Object receipt() {
    return receipt;
  }

  /** Its place in a source that delivers in order; empty in a queue. */
  public Optional<String> position() {
    return position.isEmpty() ? Optional.empty() : Optional.of(position);
  }

  /** About how much memory it takes. */
  public int bytes() {
    return bytes;
  }

  /**
   * Later publications are greater; at the same microsecond, greater ids are, in the order of their
   * UTF-8 bytes. Of two messages for one row the greater one wins.
   */
  @Override
  public int compareTo(Message other) {
    int order = publishedAt.compareTo(other.publishedAt);
    return order != 0 ? order : compareUtf8(id, other.id);
  }

  /** Whether {@code other} is a delivery of the same message. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Message that
        && id.equals(that.id)
        && publishedAt.equals(that.publishedAt)
        && receipt.equals(that.receipt);
  }

  @Override
  public int hashCode() {
    return receipt.hashCode();
  }

  @Override
  public String toString() {
    return "Message(%s of %s, %d attributes, %,d bytes, delivery %d)"
        .formatted(id, publishedAt, attributes.size(), body.length, deliveries);
  }

  /** The order of UTF-8 bytes differs from that of chars only where surrogates are. */
  private static int compareUtf8(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean surrogates = Character.isSurrogate(a) != Character.isSurrogate(b);
        return surrogates ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
