package dev.tidemark.pulse.internal.stream;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.spi.StreamStore;
import dev.tidemark.pulse.internal.spi.TopicFilter;
import java.time.Duration;
import java.util.List;

/** The events of one stream behind a position, as a reader wants them. */
final class ReaderSource implements FanIn.Source {
  private final StreamStore.Tail tail;
  private final TopicFilter filter;
  private final int batchMax;
  private final TimeSource time;

  private volatile boolean closed;

  /** Touched by the fetching thread alone. */
  private EventId position;

  ReaderSource(
      StreamStore.Tail tail, EventId position, TopicFilter filter, int batchMax, TimeSource time) {
    this.tail = tail;
    this.position = position;
    this.filter = filter;
    this.batchMax = batchMax;
    this.time = time;
  }

  @Override
  public List<Event> fetch(Duration block) {
    long deadline = time.nanos() + block.toNanos();
    while (!closed) {
      Duration left = Duration.ofNanos(Math.max(0, deadline - time.nanos()));
      List<Event> events = tail.after(position, batchMax, left);
      if (events.isEmpty()) {
        return events;
      }
      position = events.getLast().id();
      List<Event> wanted = events.stream().filter(event -> filter.accepts(event.topic())).toList();
      if (!wanted.isEmpty()) {
        return wanted;
      }
    }
    return List.of();
  }

  @Override
  public void close() {
    closed = true;
    tail.close();
  }
}
