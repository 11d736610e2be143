package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps the events that it is given. */
final class EventCollector implements Consumer<Event> {
  private static final TimeSource TIME = TimeSource.system();

  /** Connecting takes longer than a read waits where a machine has much to do. */
  private static final Duration FIRST_WITHIN = Duration.ofSeconds(2);

  private final List<Event> events = new CopyOnWriteArrayList<>();

  /** All that {@code reader} gives until it gives nothing. The first of it may take a while. */
  static EventCollector drain(Reader reader) {
    EventCollector collector = new EventCollector();
    for (List<Event> batch = first(reader); !batch.isEmpty(); batch = reader.read()) {
      batch.forEach(collector);
    }
    return collector;
  }

  private static List<Event> first(Reader reader) {
    long end = TIME.nanos() + FIRST_WITHIN.toNanos();
    List<Event> batch = reader.read();
    while (batch.isEmpty() && TIME.nanos() < end) {
      batch = reader.read();
    }
    return batch;
  }

  @Override
  public void accept(Event event) {
    events.add(event);
  }

  List<Event> events() {
    return events;
  }

  int size() {
    return events.size();
  }

  List<String> names() {
    return events.stream().map(Event::name).toList();
  }

  List<String> payloads() {
    return events.stream()
        .map(event -> new String(event.payload(), StandardCharsets.UTF_8))
        .toList();
  }
}
