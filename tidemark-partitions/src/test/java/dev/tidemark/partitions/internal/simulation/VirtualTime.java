package dev.tidemark.partitions.internal.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What happens when, on a clock that jumps from one event to the next. */
final class VirtualTime {
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::number));
  private long numbers;
  private double now;

  private record Event(double at, long number, Runnable what) {}

  /** Milliseconds since the beginning. */
  double now() {
    return now;
  }

  void after(double millis, Runnable what) {
    events.add(new Event(now + millis, numbers++, what));
  }

  /** Goes on until nothing is left to happen. */
  void run() {
    for (Event next = events.poll(); next != null; next = events.poll()) {
      now = next.at();
      next.what().run();
    }
  }
}
