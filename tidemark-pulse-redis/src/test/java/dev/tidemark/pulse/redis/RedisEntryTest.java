package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What events and sinks are to Redis itself. */
class RedisEntryTest extends PulseConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  private static String pending() {
    String summary = SERVER.server().command("XPENDING", "pulse:stream:s", "billing");
    return summary.replaceFirst("^\\W*(\\d+).*", "$1");
  }

  /** Reads until {@code count} events have come. */
  private static List<Event> read(Sink sink, int count) {
    List<Event> events = new ArrayList<>();
    eventually(
        () -> "%d events; there are %s".formatted(count, events),
        () -> {
          events.addAll(sink.read());
          return events.size() >= count;
        });
    return events;
  }

  @Test
  void nothingIsPendingInASinkThatDoesNotAcknowledge() {
    EventStream stream = pulse().stream("s");
    IntStream.range(0, 30).forEach(i -> stream.add("e", bytes("" + i)));
    try (Sink sink =
        stream.sink("billing", o -> o.withStart(Start.oldest()).withNoAck(true).withBatchMax(10))) {
      assertThat(read(sink, 30)).hasSize(30);

      assertThat(pending()).isEqualTo("0");
    }
  }

  @Test
  void eventsArePendingUntilTheyAreAcknowledged() {
    EventStream stream = pulse().stream("s");
    IntStream.range(0, 3).forEach(i -> stream.add("e", bytes("" + i)));
    try (Sink sink = stream.sink("billing", o -> o.withStart(Start.oldest()))) {
      List<Event> events = read(sink, 3);
      assertThat(pending()).isEqualTo("3");
      sink.ackAll(events);

      assertThat(pending()).isEqualTo("0");
    }
  }

  @Test
  void eventWasCreatedAtTheMillisecondOfItsId() {
    EventStream stream = pulse().stream("s");
    SERVER.server().command("XADD", "pulse:stream:s", "1234567890123-7", "n", "old", "p", "x");
    stream.add("new", bytes("x"));
    try (Reader reader = stream.reader(o -> o.withStart(Start.oldest()));
        Sink sink = stream.sink("billing", o -> o.withStart(Start.oldest()))) {
      List<Event> events = next(reader);

      assertThat(events.getFirst().createdAt()).isEqualTo(Instant.ofEpochMilli(1_234_567_890_123L));
      for (List<Event> each : List.of(events, read(sink, 2))) {
        assertThat(each)
            .hasSize(2)
            .allSatisfy(
                event ->
                    assertThat(event.id().toString())
                        .startsWith(event.createdAt().toEpochMilli() + "-"));
      }
    }
  }
}
