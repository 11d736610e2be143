package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps the events that it is given. */
final class EventCollector implements Consumer<Event> {
  private final List<Event> events = new CopyOnWriteArrayList<>();

  /** All that {@code reader} gives until it gives nothing. */
  static EventCollector drain(Reader reader) {
    EventCollector collector = new EventCollector();
    for (List<Event> batch = reader.read(); !batch.isEmpty(); batch = reader.read()) {
      batch.forEach(collector);
    }
    return collector;
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
