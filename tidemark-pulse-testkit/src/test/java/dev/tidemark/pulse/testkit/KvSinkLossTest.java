package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.LostEvents;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sinks whose stream drops events by its length before they get them. */
class KvSinkLossTest extends PulseConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private final Queue<LostEvents> lost = new ConcurrentLinkedQueue<>();

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  private SinkOptions listening(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withBlock(Duration.ofMillis(100))
        .withLossListener(lost::add);
  }

  /** Few are hidden and not trimmed yet, very many are trimmed. */
  @ParameterizedTest
  @ValueSource(ints = {15, 3_000})
  void sinkThatWasOvertakenIsToldOnceWhere(int added) {
    EventStream small = pulse().stream("small", o -> o.withLengthMax(10));
    small.add("e", bytes("first"));
    Event first;
    try (Sink sink = small.sink("s", this::listening)) {
      first = until(sink, 1).getFirst();
      sink.ack(first);
    }
    for (int i = 0; i < added; i++) {
      small.add("e", bytes("" + i));
    }
    try (Sink sink = small.sink("s", this::listening)) {
      List<Event> events = until(sink, 10);

      assertThat(events).hasSize(10);
      assertThat(lost).containsExactly(new LostEvents("small", first.id(), events.getFirst().id()));
    }
  }

  @Test
  void sinkThatKeepsUpOrBeginsLateIsToldNothing() {
    EventStream small = pulse().stream("small", o -> o.withLengthMax(10));
    for (int i = 0; i < 100; i++) {
      small.add("e", bytes("" + i));
    }
    try (Sink sink = small.sink("s", this::listening)) {
      assertThat(until(sink, 10)).hasSize(10);
      for (int i = 0; i < 100; i++) {
        small.add("e", bytes("" + i));
        until(sink, 1).forEach(sink::ack);
      }
      assertThat(lost).isEmpty();
    }
  }

  @Test
  void listenerThatThrowsStopsNothing() {
    EventStream small = pulse().stream("small", o -> o.withLengthMax(1));
    try (Sink sink = small.sink("s", KvSinkLossTest::throwing)) {
      small.add("e", bytes("1"));
      until(sink, 1).forEach(sink::ack);
      small.add("e", bytes("2"));
      small.add("e", bytes("3"));
    }
    try (Sink sink = small.sink("s", KvSinkLossTest::throwing)) {
      assertThat(until(sink, 1)).extracting(event -> text(event.payload())).containsExactly("3");
    }
  }

  private static SinkOptions throwing(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withBlock(Duration.ofMillis(100))
        .withLossListener(
            events -> {
              throw new IllegalStateException("on purpose");
            });
  }

  private List<Event> until(Sink sink, int count) {
    List<Event> events = new ArrayList<>();
    eventually(
        "%d events have come".formatted(count),
        () -> {
          events.addAll(sink.read());
          return events.size() >= count;
        });
    return events;
  }
}
