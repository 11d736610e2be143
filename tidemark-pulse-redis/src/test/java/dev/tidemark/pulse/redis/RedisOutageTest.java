package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connections that are cut, servers that go and come back. */
class RedisOutageTest extends PulseConformance {
  private static final Duration GRACE = Duration.ofMillis(300);

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  private final CuttingProxy proxy = CuttingProxy.open();

  @BeforeEach
  void behindTheProxy() {
    proxy.target(SERVER.server().port());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @Override
  protected Pulse open() {
    return RedisOptions.at("redis://127.0.0.1:" + proxy.port())
        .withCommandTimeout(Duration.ofMillis(500))
        .connect();
  }

  private static SinkOptions oldest(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(Duration.ofMillis(100)).withAckGrace(GRACE);
  }

  private static List<String> payloads(List<Event> events) {
    return events.stream().map(event -> text(event.payload())).toList();
  }

  @Test
  void addWhoseAnswerWasLostHappensOnce() {
    EventStream stream = pulse().stream("s");
    stream.add("first", bytes("0"));
    proxy.loseReplies();
    stream.add("second", bytes("1"));

    assertThat(stream.length()).isEqualTo(2);
  }

  @Test
  void everyEventIsAddedOnceThroughManyCuts() throws InterruptedException {
    EventStream stream = pulse().stream("s", o -> o.keepingAll());
    Cuts.during(
        proxy,
        () -> {
          for (int i = 0; i < 300; i++) {
            stream.add("e", bytes("" + i));
          }
        });

    try (Reader reader =
        stream.reader(o -> o.withStart(Start.oldest()).withBlock(Duration.ofMillis(200)))) {
      List<String> seen = new ArrayList<>();
      eventually(
          "all events are there",
          () -> {
            seen.addAll(payloads(reader.read()));
            return seen.size() >= 300;
          });
      assertThat(seen).isEqualTo(IntStream.range(0, 300).mapToObj(i -> "" + i).toList());
      assertThat(reader.read()).isEmpty();
    }
  }

  @Test
  void sinkLosesNothingThroughManyCuts() throws InterruptedException {
    EventStream stream = pulse().stream("s", o -> o.keepingAll());
    int count = 200;
    Set<String> seen = new TreeSet<>();
    try (Sink sink = stream.sink("billing", RedisOutageTest::oldest)) {
      Cuts.during(
          proxy,
          () -> {
            IntStream.range(0, count).forEach(i -> stream.add("e", bytes("" + i)));
            eventually(
                () -> "%d of %d events have come".formatted(seen.size(), count),
                () -> {
                  List<Event> events = sink.read();
                  seen.addAll(payloads(events));
                  sink.ackAll(events);
                  return seen.size() == count;
                });
          });
    }
    assertThat(seen).hasSize(count);
  }

  @Test
  void outageThatLastsTooLongIsSaid() {
    try (Pulse impatient =
        RedisOptions.at("redis://127.0.0.1:" + proxy.port())
            .withOutageMax(Duration.ofMillis(300))
            .connect()) {
      EventStream stream = impatient.stream("s");
      stream.add("e", bytes("1"));
      proxy.target(1);
      proxy.cutAll();

      assertThatThrownBy(() -> stream.add("e", bytes("2")))
          .isInstanceOf(PulseException.class)
          .hasMessageContaining("127.0.0.1:" + proxy.port())
          .hasMessageContaining("outageMax");

      proxy.target(SERVER.server().port());
      eventually("it comes back", () -> stream.length() >= 1);
    }
  }

  @Test
  void sinkResumesAfterTheServerWasRestartedWithItsLog() throws IOException {
    try (RedisServer server =
        RedisServer.start(
            OneServer.directory(),
            RedisServer.Version.V7_0,
            "appendonly yes",
            "appendfsync always")) {
      proxy.target(server.port());
      EventStream stream = pulse().stream("s");
      try (Sink sink = stream.sink("billing", RedisOutageTest::oldest)) {
        IntStream.range(0, 10).forEach(i -> stream.add("e", bytes("" + i)));
        List<Event> first = read(sink, 10);
        sink.ackAll(first.subList(0, 5));
        server.kill();
        server.start();
        stream.add("e", bytes("after"));

        Set<String> again = payloads(read(sink, 6)).stream().collect(Collectors.toSet());
        assertThat(again).isEqualTo(Set.of("5", "6", "7", "8", "9", "after"));
      }
    }
  }

  /** Events, each of them once: those that take too long come again. */
  private static List<Event> read(Sink sink, int count) {
    Map<EventId, Event> events = new TreeMap<>();
    eventually(
        () -> "%d events; there are %s".formatted(count, events.keySet()),
        () -> {
          sink.read().forEach(event -> events.put(event.id(), event));
          return events.size() >= count;
        });
    return List.copyOf(events.values());
  }

  @Test
  void serverThatBecameAReplicaIsLeftForTheOneThatNowHasItsAddress() throws IOException {
    try (RedisServer old = RedisServer.start(OneServer.directory(), RedisServer.Version.V7_0);
        RedisServer primary = RedisServer.start(OneServer.directory(), RedisServer.Version.V7_0)) {
      proxy.target(old.port());
      EventStream stream = pulse().stream("s");
      stream.add("e", bytes("1"));
      proxy.target(primary.port());
      old.command("REPLICAOF", "127.0.0.1", "" + primary.port());

      stream.add("e", bytes("2"));

      assertThat(primary.command("XLEN", "pulse:stream:s")).isEqualTo(":1");
    }
  }

  @Test
  void lostGroupGoesOnBehindWhatWasAcknowledgedWithoutAGap() {
    EventStream stream = pulse().stream("s");
    try (Sink sink = stream.sink("billing", o -> oldest(o).withAckGrace(Duration.ofSeconds(60)))) {
      IntStream.range(0, 3).forEach(i -> stream.add("e", bytes("" + i)));
      List<Event> events = read(sink, 3);
      sink.ack(events.get(0));
      sink.ack(events.get(2));
      SERVER.server().command("XGROUP", "DESTROY", "pulse:stream:s", "billing");
      stream.add("e", bytes("3"));

      assertThat(payloads(read(sink, 3))).containsExactly("1", "2", "3");
    }
  }

  @Test
  void groupThatIsLostTwiceSkipsNothing() {
    EventStream stream = pulse().stream("s");
    try (Sink sink =
        stream.sink(
            "billing", o -> oldest(o).withAckGrace(Duration.ofSeconds(60)).withBatchMax(1))) {
      IntStream.range(0, 4).forEach(i -> stream.add("e", bytes("" + i)));
      List<Event> events = read(sink, 4);
      sink.ack(events.get(3));
      SERVER.server().command("XGROUP", "DESTROY", "pulse:stream:s", "billing");
      sink.ack(read(sink, 1).getFirst());
      SERVER.server().command("XGROUP", "DESTROY", "pulse:stream:s", "billing");

      List<String> again = new ArrayList<>();
      eventually(
          () -> "what was not acknowledged comes again: " + again,
          () -> {
            again.addAll(payloads(sink.read()));
            return again.containsAll(List.of("1", "2"));
          });
    }
  }

  @Test
  void lostGroupRepeatsSomeAcknowledgedEventsAndPassesOverNone() {
    EventStream stream = pulse().stream("s", o -> o.keepingAll());
    IntStream.range(0, 60).forEach(i -> stream.add("e", bytes("" + i)));
    try (Sink sink = stream.sink("billing", o -> oldest(o).withAckGrace(Duration.ofSeconds(60)))) {
      List<Event> events = read(sink, 60);
      events.subList(0, 50).forEach(sink::ack);
      SERVER.server().command("XGROUP", "DESTROY", "pulse:stream:s", "billing");

      List<String> again = new ArrayList<>();
      eventually(
          () -> "all up to the last come again: " + again,
          () -> {
            again.addAll(payloads(sink.read()));
            return again.contains("59");
          });
      int first = Integer.parseInt(again.getFirst());
      assertThat(first).isBetween(1, 50);
      assertThat(again).isEqualTo(IntStream.range(first, 60).mapToObj(i -> "" + i).toList());
    }
  }

  @Test
  void lowFollowsTheAcknowledgementsWhileTheSinkReads() {
    EventStream stream = pulse().stream("s");
    try (Sink sink = stream.sink("billing", RedisOutageTest::oldest)) {
      IntStream.range(0, 20).forEach(i -> stream.add("e", bytes("" + i)));
      List<Event> events = read(sink, 20);
      events.forEach(sink::ack);

      eventually(
          () -> "the low is " + low() + " and not at the last of " + events,
          () -> {
            sink.read();
            return low().equals("$" + events.getLast().id());
          });
    }
  }

  @Test
  void lowIsRightWhenTheSinkIsClosed() {
    EventStream stream = pulse().stream("s");
    EventId last;
    try (Sink sink = stream.sink("billing", RedisOutageTest::oldest)) {
      IntStream.range(0, 20).forEach(i -> stream.add("e", bytes("" + i)));
      List<Event> events = read(sink, 20);
      events.forEach(sink::ack);
      last = events.getLast().id();
    }
    assertThat(low()).isEqualTo("$" + last);
  }

  @Test
  void lowOfASinkThatDoesNotAcknowledgeMovesForwardOnly() {
    EventStream stream = pulse().stream("s");
    try (Sink sink = stream.sink("billing", o -> oldest(o).withNoAck(true))) {
      setLow("9999999999999-5");
      stream.add("e", bytes("1"));
      read(sink, 1);
      assertThat(low()).isEqualTo("$9999999999999-5");

      setLow("999999999999-5");
      stream.add("e", bytes("2"));
      Event last = read(sink, 1).getFirst();
      assertThat(low()).isEqualTo("$" + last.id());
    }
  }

  private static void setLow(String id) {
    SERVER
        .server()
        .command("HSET", RedisNames.sibling("pulse:stream:s", "sinks"), "low:billing", id);
  }

  private static String low() {
    return SERVER
        .server()
        .command("HGET", RedisNames.sibling("pulse:stream:s", "sinks"), "low:billing");
  }

  @Test
  void whatLiesBesideAStreamExpiresWithIt() {
    EventStream stream = pulse().stream("s", o -> o.withTimeToLive(Duration.ofSeconds(100)));
    stream.add("e", bytes("1"));
    try (Sink sink = stream.sink("billing", RedisOutageTest::oldest);
        Reader reader = stream.reader(o -> o.withStart(Start.oldest()).withName("cursor"))) {
      sink.ackAll(read(sink, 1));
      List<Event> events = new ArrayList<>();
      eventually("the reader reads", () -> events.addAll(reader.read()));
      reader.ack(events.getFirst());
    }
    for (String side : List.of("sinks", "readers")) {
      String left = SERVER.server().command("PTTL", RedisNames.sibling("pulse:stream:s", side));
      assertThat(Long.parseLong(left.substring(1))).as(side).isBetween(100_000L, 160_000L);
    }
  }

  /** Leaves the place of a reader beside a stream that has expired. */
  private void leaveAPlaceBehind() {
    EventStream stream = pulse().stream("s", o -> o.withTimeToLive(Duration.ofMillis(300)));
    stream.add("e", bytes("1"));
    cursor().close();
    eventually("the stream expires", () -> stream.length() == 0);
    assertThat(millisLeftOfReaders()).isBetween(0L, 60_300L);
  }

  private Reader cursor() {
    return pulse().stream("s").reader(o -> o.withName("cursor"));
  }

  private static long millisLeftOfReaders() {
    String left = SERVER.server().command("PTTL", RedisNames.sibling("pulse:stream:s", "readers"));
    return Long.parseLong(left.substring(1));
  }

  @Test
  void placeOfAReaderThatJoinsAfterItsStreamExpiredStays() {
    leaveAPlaceBehind();
    cursor().close();

    assertThat(millisLeftOfReaders()).isEqualTo(-1);
  }

  @Test
  void placesOfReadersStayWithAStreamThatBeginsAgain() {
    leaveAPlaceBehind();
    pulse().stream("s").add("e", bytes("2"));

    assertThat(millisLeftOfReaders()).isEqualTo(-1);
  }

  @Test
  void placesOfReadersStayWithAStreamThatASinkBeginsAgain() {
    leaveAPlaceBehind();
    pulse().stream("s").sink("billing", RedisOutageTest::oldest).close();

    assertThat(millisLeftOfReaders()).isEqualTo(-1);
  }

  @Test
  void removeWhoseAnswerWasLostSaysWhatItRemoved() {
    EventStream stream = pulse().stream("s");
    EventId id = stream.add("e", bytes("1"));
    stream.remove(List.of(stream.add("e", bytes("2"))));
    proxy.loseReplies();

    assertThat(stream.remove(List.of(id))).isEqualTo(1);
  }

  @Test
  void sinkGoesOnWhenItsStreamHasExpired() {
    EventStream stream = pulse().stream("s", o -> o.withTimeToLive(Duration.ofMillis(300)));
    try (Sink sink = stream.sink("billing", RedisOutageTest::oldest)) {
      stream.add("e", bytes("1"));
      sink.ackAll(read(sink, 1));
      eventually("the stream expires", () -> stream.length() == 0);
      stream.add("e", bytes("2"));

      assertThat(payloads(read(sink, 1))).containsExactly("2");
    }
  }

  @Test
  void sinkGoesOnWhenEverythingWasFlushed() {
    EventStream stream = pulse().stream("s");
    try (Sink sink = stream.sink("billing", RedisOutageTest::oldest)) {
      stream.add("e", bytes("1"));
      sink.ackAll(read(sink, 1));
      SERVER.server().command("FLUSHALL");
      stream.add("e", bytes("2"));

      assertThat(payloads(read(sink, 1))).containsExactly("2");
    }
  }

  @Test
  void scriptsThatTheServerForgotAreSentAgain() {
    EventStream stream = pulse().stream("s");
    stream.add("e", bytes("1"));
    SERVER.server().command("SCRIPT", "FLUSH");
    stream.add("e", bytes("2"));

    assertThat(stream.length()).isEqualTo(2);
  }

  @Test
  void consumerThatLeavesWithNothingLeavesNoTrace() {
    EventStream stream = pulse().stream("s");
    Sink sink = stream.sink("billing", RedisOutageTest::oldest);
    stream.add("e", bytes("1"));
    sink.ackAll(read(sink, 1));
    assertThat(consumers()).isEqualTo(1);
    sink.close();

    assertThat(consumers()).isZero();
  }

  @Test
  void consumerThatDiedDisappearsWhenItsEventsAreTaken() {
    EventStream stream = pulse().stream("s");
    Sink dead = another().stream("s").sink("billing", RedisOutageTest::oldest);
    stream.add("e", bytes("1"));
    read(dead, 1);
    dead.close();
    assertThat(consumers()).isEqualTo(1);

    try (Sink alive = stream.sink("billing", RedisOutageTest::oldest)) {
      alive.ackAll(read(alive, 1));
      eventually(
          "only the live consumer is left",
          () -> {
            alive.read();
            return consumers() == 1;
          });
    }
  }

  private static int consumers() {
    String answer = SERVER.server().command("XINFO", "CONSUMERS", "pulse:stream:s", "billing");
    return answer.split("\\$name", -1).length - 1;
  }

  @Test
  void closeEndsABlockedReadWithinASecondAlsoWithoutAServer() throws Exception {
    Pulse pulse = another();
    Reader reader = pulse.stream("s").reader(o -> o.withBlock(Duration.ofSeconds(30)));
    Thread blocked = Thread.ofVirtual().start(reader::read);
    proxy.target(1);
    proxy.cutAll();
    within(
        Duration.ofSeconds(2),
        "close",
        () -> {
          reader.close();
          return blocked.join(Duration.ofSeconds(10));
        });
  }

  @Test
  void closeOfASinkDoesNotWaitForTheEndOfAnOutage() throws Exception {
    EventStream stream = another().stream("s");
    Sink sink = stream.sink("billing", RedisOutageTest::oldest);
    IntStream.range(0, 20).forEach(i -> stream.add("e", bytes("" + i)));
    read(sink, 20).forEach(sink::ack);
    proxy.target(1);
    proxy.cutAll();
    within(
        Duration.ofSeconds(3),
        "close",
        () -> {
          sink.close();
          return null;
        });
  }

  @Test
  void closeOfAPulseDoesNotWaitForTheEndOfAnOutage() throws Exception {
    Pulse pulse =
        RedisOptions.at("redis://127.0.0.1:" + proxy.port())
            .withOutageMax(Duration.ofMinutes(2))
            .connect();
    EventStream stream = pulse.stream("s");
    stream.sink("left").close();
    Sink sink = stream.sink("billing", RedisOutageTest::oldest);
    Reader reader = stream.reader(o -> o.withBlock(Duration.ofSeconds(30)));
    ReplicatedMap<String, String> map = pulse.map("m");
    stream.add("e", bytes("1"));
    sink.ackAll(read(sink, 1));
    Thread blocked = Thread.ofVirtual().start(reader::read);
    proxy.target(1);
    proxy.cutAll();
    within(
        Duration.ofSeconds(20),
        "close",
        () -> {
          pulse.close();
          return null;
        });

    assertThat(blocked.join(PATIENCE)).isTrue();
    assertThat(sink.isClosed()).isTrue();
    assertThat(map.isClosed()).isTrue();
  }
}
