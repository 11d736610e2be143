package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that a sink has got from the server, or should have, while something else went wrong. */
abstract class TakenEvents extends PulseConformance {
  private static final String USER = "limited";
  private static final String PASSWORD = "secret";

  /** So long that no test sees an event a second time because of it. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private final CuttingProxy proxy = CuttingProxy.open();

  abstract OneServer server();

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @AfterEach
  void giveMemory() {
    command("CONFIG SET maxmemory 0");
  }

  @Override
  protected Pulse open() {
    proxy.target(server().server().port());
    return RedisOptions.at("redis://127.0.0.1:" + proxy.port())
        .withCommandTimeout(Duration.ofMillis(500))
        .connect();
  }

  private String command(String words) {
    return server().server().command(words.split(" ", -1));
  }

  private void takeMemory() {
    command("CONFIG SET maxmemory-policy noeviction");
    command("CONFIG SET maxmemory 1");
  }

  private static SinkOptions oldest(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(Duration.ofMillis(100)).withAckGrace(LONG);
  }

  private static void add(EventStream stream, int first, int end) {
    IntStream.range(first, end).forEach(i -> stream.add("e", bytes("" + i)));
  }

  private static List<String> numbers(int first, int end) {
    return IntStream.range(first, end).mapToObj(i -> "" + i).toList();
  }

  /** Reads until {@code count} events have come, and acknowledges each of them. */
  private static List<String> read(Sink sink, int count) {
    return payloads(readEvents(sink, count));
  }

  /** The same for events that nobody has had before. */
  private static List<String> readNew(Sink sink, int count) {
    List<Event> seen = readEvents(sink, count);
    assertThat(seen).allMatch(event -> event.deliveries() == 1);
    return payloads(seen);
  }

  private static List<String> payloads(List<Event> events) {
    return events.stream().map(event -> text(event.payload())).toList();
  }

  private static List<Event> readEvents(Sink sink, int count) {
    List<Event> seen = new ArrayList<>();
    eventually(
        () -> "%d events; there are %s".formatted(count, payloads(seen)),
        () -> {
          for (Event event : sink.read()) {
            seen.add(event);
            sink.ack(event);
          }
          return seen.size() >= count;
        });
    return seen;
  }

  @Test
  void sinkWithoutAcknowledgementsKeepsWhatItTookUntilTheServerHasMemory() {
    EventStream stream = pulse().stream("s");
    try (Sink sink =
        stream.sink(
            "billing", o -> oldest(o).withBlock(PATIENCE).withNoAck(true).withBatchMax(4))) {
      add(stream, 0, 12);
      takeMemory();
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(sink::read)
            .isInstanceOf(PulseException.class)
            .hasMessageContaining("OOM");
      }
      giveMemory();

      assertThat(read(sink, 12)).isEqualTo(numbers(0, 12));
    }
  }

  @Test
  void sinkGoesOnWithoutMemoryForItsLow() {
    EventStream stream = pulse().stream("s");
    try (Sink sink =
        stream.sink(
            "billing",
            o ->
                oldest(o)
                    .withBlock(Duration.ofMillis(1_500))
                    .withAckGrace(Duration.ofSeconds(60))
                    .withBatchMax(1))) {
      add(stream, 0, 20);
      List<String> seen = new ArrayList<>(read(sink, 5));
      takeMemory();
      seen.addAll(read(sink, 15));
      assertThat(sink.read()).as("what comes while it looks for graces that passed").isEmpty();
      assertThat(seen).isEqualTo(numbers(0, 20));

      giveMemory();
      eventually(
          () -> "the low is " + low() + ", the group " + groups(),
          () -> {
            sink.read();
            return groups().contains(low());
          });
    }
  }

  private String low() {
    return command("HGET " + RedisNames.sibling("pulse:stream:s", "sinks") + " low:billing");
  }

  private String groups() {
    return command("XINFO GROUPS pulse:stream:s");
  }

  private Pulse withoutAcknowledgements() {
    command("ACL SETUSER %s reset on >%s ~* &* +@all -xack".formatted(USER, PASSWORD));
    return RedisOptions.at(server().uri()).withCredentials(USER, PASSWORD).connect();
  }

  private static SinkOptions european(SinkOptions options) {
    return oldest(options).withBlock(PATIENCE).withTopic("eu");
  }

  /** Has {@code sink} take an event that it wants between two that it cannot acknowledge. */
  private static void takeInVain(EventStream stream, Sink sink) {
    stream.add("e", "us", bytes("0"));
    stream.add("e", "eu", bytes("1"));
    stream.add("e", "us", bytes("2"));
    assertThatThrownBy(sink::read)
        .isInstanceOf(PulseException.class)
        .hasMessageContaining("ACL SETUSER");
  }

  @Test
  void eventsThatASinkCouldNotHandOutComeToTheNextOneWhenItCloses() {
    try (Pulse limited = withoutAcknowledgements()) {
      EventStream stream = limited.stream("s");
      try (Sink sink = stream.sink("billing", TakenEvents::european)) {
        takeInVain(stream, sink);
      }
    } finally {
      command("ACL DELUSER " + USER);
    }
    try (Sink next = pulse().stream("s").sink("billing", TakenEvents::european)) {
      assertThat(readNew(next, 1)).containsExactly("1");
    }
  }

  @Test
  void wantedEventsComeWhenTheUnwantedCanBeAcknowledged() {
    try (Pulse limited = withoutAcknowledgements()) {
      EventStream stream = limited.stream("s");
      try (Sink sink = stream.sink("billing", TakenEvents::european)) {
        takeInVain(stream, sink);
        command("ACL SETUSER " + USER + " +xack");

        assertThat(read(sink, 1)).containsExactly("1");
        assertThat(pending()).startsWith("[:0,");
      }
    } finally {
      command("ACL DELUSER " + USER);
    }
  }

  @Test
  void eventsWhoseAnswerWasLostComeBeforeTheGraceAlsoOnABusyStream() {
    EventStream stream = pulse().stream("s");
    try (Pulse direct = RedisPulse.connect(server().uri());
        Sink sink = stream.sink("billing", TakenEvents::oldest)) {
      EventStream others = direct.stream("s");
      add(others, 0, 1);
      read(sink, 1);
      add(others, 1, 3);
      proxy.loseReplies();
      eventually(
          () -> "the server has handed out two events: " + pending(),
          () -> sink.read().isEmpty() && pending().startsWith("[:2,"));
      add(others, 3, 5);
      proxy.cutAll();

      assertThat(read(sink, 4)).isEqualTo(numbers(1, 5));
    }
  }

  /** Lets the answer get lost that brings the next events to a sink behind the proxy. */
  private void loseNextEvents() {
    proxy.loseReply("XREADGROUP", "pulse:stream:s");
  }

  @Test
  void eventThatIsTakenOverAfterALostAnswerComesOnce() {
    EventStream stream = pulse().stream("s");
    try (Pulse direct = RedisPulse.connect(server().uri());
        Sink sink = stream.sink("billing", TakenEvents::oldest)) {
      EventStream others = direct.stream("s");
      add(others, 0, 1);
      loseNextEvents();
      assertThat(sink.read()).isEmpty();
      eventually("the answer is lost", proxy::hasLostReply);
      EventId second = others.add("e", bytes("1"));
      command("XREADGROUP GROUP billing other COUNT 1 STREAMS pulse:stream:s >");
      command(
          "XCLAIM pulse:stream:s billing other 0 %s IDLE %d JUSTID"
              .formatted(second, LONG.toMillis()));

      List<String> seen = new ArrayList<>();
      eventually(
          () -> "both events; there are " + seen,
          () -> {
            seen.addAll(payloads(sink.read()));
            return seen.containsAll(numbers(0, 2));
          });
      assertThat(seen).isEqualTo(numbers(0, 2));
    }
  }

  @Test
  void eventsOnTheirWayToASinkThatClosesComeToTheNextOneAtOnce() throws Exception {
    Sink closed = pulse().stream("s").sink("billing", o -> oldest(o).withBlock(PATIENCE));
    loseNextEvents();
    FutureTask<List<Event>> reader = new FutureTask<>(closed::read);
    Thread.startVirtualThread(reader);
    try (Pulse direct = RedisPulse.connect(server().uri())) {
      EventStream stream = direct.stream("s");
      add(stream, 0, 2);
      eventually("the answer is on its way", proxy::hasLostReply);
      closed.close();

      // Not empty if the close took so long that the read was given up before.
      List<String> seen = new ArrayList<>(payloads(reader.get()));
      try (Sink next = stream.sink("billing", TakenEvents::oldest)) {
        seen.addAll(readNew(next, 2 - seen.size()));
      }
      assertThat(seen).containsExactlyInAnyOrder("0", "1");
    }
  }

  private String pending() {
    return command("XPENDING pulse:stream:s billing");
  }
}
