package dev.tidemark.bench.loader;

import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measurements of 64 points, a second apart, as rows, as payloads of events, and as a source that
 * costs next to nothing.
 */
final class Measurements implements MessageSource {
  private static final int POINTS = 64;
  private static final long FIRST_SECOND = 800_000_000L;
  private static final int PULL_MAX = 4_096;

  private final int count;
  private int next;

  Measurements(int count) {
    this.count = count;
  }

  static String point(int number) {
    return "point-%015d".formatted(number % POINTS);
  }

  static long second(int number) {
    return FIRST_SECOND + number / POINTS;
  }

  static long epochMicros(int number) {
    return (second(number) + InstantData.EPOCH_UNIX_SECONDS) * 1_000_000;
  }

  static long power(int number) {
    return number * 7L % 3_000;
  }

  static byte[] payload(int number) {
    return "{\"point_id\":\"%s\",\"timestamp\":\"%d\",\"power\":\"%d\"}"
        .formatted(point(number), second(number), power(number))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Message message(int number) {
    Map<String, String> attributes =
        Map.of(
            "point_id",
            point(number),
            "timestamp",
            Long.toString(second(number)),
            "power",
            Long.toString(power(number)));
    Instant published = Instant.ofEpochSecond(second(number) + InstantData.EPOCH_UNIX_SECONDS);
    return Message.of(Integer.toString(number), published, attributes, new byte[0]);
  }

  @Override
  public String name() {
    return "measurements";
  }

  @Override
  public void begin(Optional<String> position) {}

  @Override
  public List<Message> pull(int max, Duration wait) {
    int size = Math.min(Math.min(max, PULL_MAX), count - next);
    List<Message> messages = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      messages.add(message(next++));
    }
    return messages;
  }

  @Override
  public Acknowledged ack(List<Message> messages) {
    return new Acknowledged(messages.size(), 0);
  }

  @Override
  public void nack(List<Message> messages) {
    throw new IllegalStateException("Nothing is to be given back: " + messages.size());
  }

  @Override
  public void extend(List<Message> messages) {}

  @Override
  public boolean inOrder() {
    return false;
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(Duration.ofMinutes(1));
  }

  @Override
  public void close() {}
}
