package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store has to do for events that an instance gives back or keeps for longer. */
public abstract class SinkReleaseConformance extends PulseConformance {
  private static final Duration SOON = Duration.ofMillis(80);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** For subclasses. */
  protected SinkReleaseConformance() {}

  private EventStream orders() {
    return pulse().stream("orders");
  }

  private static SinkOptions from(SinkOptions options, Duration grace) {
    return options.withStart(Start.oldest()).withBlock(SOON).withAckGrace(grace);
  }

  private Sink loader(Duration grace) {
    return orders().sink("loader", o -> from(o, grace));
  }

  private Sink loaderElsewhere(Duration grace) {
    return another().stream("orders").sink("loader", o -> from(o, grace));
  }

  private void add(int count) {
    IntStream.range(0, count).forEach(i -> orders().add("e", bytes("" + i)));
  }

  private static List<String> payloads(List<Event> events) {
    return events.stream().map(event -> text(event.payload())).toList();
  }

  private static List<Event> next(Sink sink, int count) {
    List<Event> events = new ArrayList<>();
    eventually(
        () -> "%d events come; so far %s".formatted(count, events),
        () -> {
          events.addAll(sink.read());
          return events.size() >= count;
        });
    return events;
  }

  @Test
  void releasedEventsGoToAnotherInstanceAtOnceAndDoNotCountAsDelivered() {
    add(3);
    try (Sink one = loader(LONG)) {
      List<Event> events = next(one, 3);
      try (Sink two = loaderElsewhere(LONG)) {
        one.release(events);

        List<Event> again = new ArrayList<>();
        eventually(
            () -> "the events are somewhere; so far " + again,
            () -> {
              again.addAll(two.read());
              return again.size() >= 3;
            });
        assertThat(payloads(again)).containsExactly("0", "1", "2");
        assertThat(again).extracting(Event::deliveries).containsOnly(1);
        two.ackAll(again);
        assertThat(one.extend(events)).isEmpty();
      }
    }
  }

  @Test
  void releasedEventIsNoDeadLetterHoweverOftenItIsReleased() {
    add(1);
    try (Sink sink =
        orders().sink("loader", o -> from(o, LONG).withDeadLetters(1, "orders:dead"))) {
      for (int i = 0; i < 4; i++) {
        List<Event> events = next(sink, 1);
        assertThat(events).extracting(Event::deliveries).containsExactly(1);
        sink.release(events);
      }
      sink.ackAll(next(sink, 1));
    }
    assertThat(pulse().stream("orders:dead").length()).isZero();
  }

  @Test
  void releaseOfSomeLeavesTheRestToThisInstance() {
    add(5);
    try (Sink sink = loader(LONG)) {
      List<Event> events = next(sink, 5);
      sink.release(List.of(events.get(1), events.get(3)));

      List<Event> again = next(sink, 2);
      assertThat(payloads(again)).containsExactlyInAnyOrder("1", "3");
      assertThat(sink.extend(events)).hasSize(5);
      sink.ackAll(events);
      assertThat(sink.extend(events)).isEmpty();
    }
  }

  @Test
  void acknowledgedEventIsNotReleased() {
    add(2);
    try (Sink sink = loader(LONG)) {
      List<Event> events = next(sink, 2);
      sink.ack(events.getFirst());
      sink.release(events);

      assertThat(payloads(next(sink, 1))).containsExactly("1");
    }
  }

  @Test
  void extendedEventsStayWithTheirInstance() {
    add(3);
    try (Sink one = loader(GRACE);
        Sink two = loaderElsewhere(GRACE)) {
      List<Event> events = next(one, 3);
      List<Event> kept = events.subList(0, 2);
      List<Event> stolen = new ArrayList<>();
      long end = TIME.nanos() + GRACE.multipliedBy(5).dividedBy(2).toNanos();
      while (TIME.nanos() < end) {
        assertThat(one.extend(kept)).isEqualTo(kept);
        List<Event> got = two.read();
        stolen.addAll(got);
        two.ackAll(got);
      }

      assertThat(payloads(stolen)).containsExactly("2");
      one.ackAll(kept);
      assertThat(one.extend(kept)).isEmpty();
    }
  }

  @Test
  void instanceLearnsWhichEventsWentToAnother() {
    add(2);
    try (Sink one = loader(Duration.ofMillis(300));
        Sink two = loaderElsewhere(Duration.ofMillis(300))) {
      List<Event> events = next(one, 2);
      List<Event> taken = next(two, 2);

      assertThat(taken).extracting(Event::deliveries).allMatch(count -> count > 1);
      assertThat(one.extend(events)).isEmpty();
    }
  }

  @Test
  void sinkWithoutAcknowledgementsRefuses() {
    add(1);
    try (Sink sink = orders().sink("loader", o -> from(o, LONG).withNoAck(true))) {
      List<Event> events = next(sink, 1);

      assertThatThrownBy(() -> sink.release(events))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("noAck");
      assertThatThrownBy(() -> sink.extend(events))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("noAck");
    }
  }
}
