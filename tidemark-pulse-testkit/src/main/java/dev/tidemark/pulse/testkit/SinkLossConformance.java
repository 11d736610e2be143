package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.LostEvents;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What every store has to tell a sink whose stream drops events by its length before it got them.
 */
public abstract class SinkLossConformance extends PulseConformance {
  /** More than any store keeps of a stream of ten events. */
  private static final int MANY = 1_000;

  private final Queue<LostEvents> lost = new ConcurrentLinkedQueue<>();

  /** For subclasses. */
  protected SinkLossConformance() {}

  /** A stream that keeps ten events, or somewhat more. */
  final EventStream small() {
    return pulse().stream("small", o -> o.withLengthMax(10));
  }

  /** What the sinks of {@link #sink} were told. */
  final List<LostEvents> lost() {
    return List.copyOf(lost);
  }

  /** An instance of {@code name} on {@link #small} that collects what it is told. */
  final Sink sink(String name) {
    return small().sink(name, this::listening);
  }

  private SinkOptions listening(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withBlock(Duration.ofMillis(100))
        .withLossListener(lost::add);
  }

  /** Adds {@code count} events. */
  static void add(EventStream stream, int count) {
    for (int i = 0; i < count; i++) {
      stream.add("e", bytes("" + i));
    }
  }

  /** The next events of {@code sink}, acknowledged. */
  static List<Event> take(Sink sink) {
    List<Event> events = new ArrayList<>();
    eventually("an event comes to the sink", () -> events.addAll(sink.read()));
    sink.ackAll(events);
    return events;
  }

  /** Reads until the newest event of {@link #small} has come. */
  private Event takeUntil(Sink sink, EventId newest) {
    List<Event> all = new ArrayList<>(take(sink));
    while (!all.getLast().id().equals(newest)) {
      all.addAll(take(sink));
    }
    return all.getFirst();
  }

  @Test
  void overtakenSinkIsToldOnceBetweenWhichEvents() {
    small().add("e", bytes("first"));
    Event first;
    try (Sink sink = sink("s")) {
      first = take(sink).getFirst();
    }
    add(small(), MANY);
    try (Sink sink = sink("s")) {
      Event next = take(sink).getFirst();

      assertThat(lost()).containsExactly(new LostEvents("small", first.id(), next.id()));
      add(small(), 1);
      take(sink);
      assertThat(lost()).hasSize(1);
    }
  }

  @Test
  void sinkThatHasGotNothingYetIsToldSinceItsBegin() {
    try (Sink sink = sink("s")) {
      add(small(), MANY);
      Event next = take(sink).getFirst();

      assertThat(lost()).containsExactly(new LostEvents("small", EventId.ZERO, next.id()));
    }
  }

  @Test
  void sinkThatKeepsUpIsToldNothing() {
    try (Sink sink = sink("s")) {
      for (int i = 0; i < 300; i++) {
        add(small(), 1);
        take(sink);
      }
      assertThat(lost()).isEmpty();
    }
  }

  @Test
  void sinkThatBeginsLateIsToldNothing() {
    add(small(), MANY);
    EventId newest = small().add("e", bytes("newest"));
    try (Sink sink = sink("s")) {
      assertThat(takeUntil(sink, newest)).isNotNull();
      assertThat(lost()).isEmpty();
    }
  }

  @Test
  void eachLossIsToldOfItsOwn() {
    try (Sink sink = sink("s")) {
      EventId before = EventId.ZERO;
      for (int i = 1; i <= 3; i++) {
        add(small(), MANY);
        EventId newest = small().add("e", bytes("newest"));
        Event next = takeUntil(sink, newest);

        assertThat(lost()).hasSize(i).endsWith(new LostEvents("small", before, next.id()));
        before = newest;
      }
    }
  }

  @Test
  void eachSinkIsToldOfItsOwnLosses() {
    try (Sink slow = sink("slow");
        Sink quick = sink("quick")) {
      for (int i = 0; i < 300; i++) {
        add(small(), 1);
        take(quick);
      }
      assertThat(lost()).isEmpty();
      Event next = take(slow).getFirst();
      assertThat(lost()).containsExactly(new LostEvents("small", EventId.ZERO, next.id()));
    }
  }

  @Test
  void oneOfSeveralInstancesIsTold() {
    try (Sink one = sink("s");
        Sink two = another().stream("small").sink("s", this::listening)) {
      add(small(), MANY);
      List<Event> events = new ArrayList<>();
      EventId newest = small().add("e", bytes("newest"));
      eventually(
          "the newest event comes to one of them",
          () -> {
            events.addAll(one.read());
            events.addAll(two.read());
            return events.stream().anyMatch(event -> event.id().equals(newest));
          });
      assertThat(lost()).hasSize(1);
    }
  }

  @Test
  void sinkWithoutAcknowledgementsIsTold() {
    try (Sink sink = small().sink("s", o -> listening(o).withNoAck(true))) {
      add(small(), MANY);
      List<Event> events = new ArrayList<>();
      eventually("an event comes to the sink", () -> events.addAll(sink.read()));

      assertThat(lost())
          .containsExactly(new LostEvents("small", EventId.ZERO, events.getFirst().id()));
    }
  }

  @Test
  void listenerThatThrowsStopsNothing() {
    goesOnWith(
        events -> {
          throw new IllegalStateException("on purpose");
        });
  }

  @Test
  void listenerThatLeavesItsThreadInterruptedStopsNothing() {
    goesOnWith(events -> Thread.currentThread().interrupt());
  }

  private void goesOnWith(Consumer<LostEvents> listener) {
    AtomicInteger calls = new AtomicInteger();
    Consumer<LostEvents> counted =
        events -> {
          calls.incrementAndGet();
          listener.accept(events);
        };
    List<Event> events = new ArrayList<>();
    try (Sink sink = small().sink("s", o -> listening(o).withLossListener(counted))) {
      add(small(), MANY);
      Subscription subscription =
          sink.subscribe(
              (Event event) -> {
                synchronized (events) {
                  events.add(event);
                }
              });
      for (int i = 0; i < 3; i++) {
        EventId newest = small().add("e", bytes("newest"));
        eventually(
            "the newest event comes",
            () -> {
              synchronized (events) {
                return events.stream().anyMatch(event -> event.id().equals(newest));
              }
            });
      }
      assertThat(subscription.isEnded()).isFalse();
    }
    assertThat(calls.get()).isPositive();
  }
}
