package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.DeadLetter;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store has to do for sinks that are read: sharing, acknowledging, redelivering. */
public abstract class SinkConformance extends PulseConformance {
  /** Short enough for a test to see events come back. */
  protected static final Duration GRACE = Duration.ofSeconds(1);

  private static final Duration SOON = Duration.ofMillis(80);
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** For subclasses. */
  protected SinkConformance() {}

  private static SinkOptions oldest(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(SOON).withAckGrace(GRACE);
  }

  private EventStream orders() {
    return pulse().stream("orders");
  }

  private Sink billing() {
    return orders().sink("billing", SinkConformance::oldest);
  }

  private Sink billingElsewhere() {
    return another().stream("orders").sink("billing", SinkConformance::oldest);
  }

  private void add(int count) {
    IntStream.range(0, count).forEach(i -> orders().add("e", bytes("" + i)));
  }

  private static List<String> payloads(List<Event> events) {
    return events.stream().map(event -> text(event.payload())).toList();
  }

  /** Events of {@code sink}, as soon as there are any. */
  private static List<Event> next(Sink sink) {
    List<Event> events = new ArrayList<>();
    eventually(
        "an event comes to the sink",
        () -> {
          events.addAll(sink.read());
          return !events.isEmpty();
        });
    return events;
  }

  /** What {@code sink} gives in the next two and a half graces. */
  private static List<Event> soon(Sink sink) {
    List<Event> events = new ArrayList<>();
    long end = TIME.nanos() + GRACE.multipliedBy(5).dividedBy(2).toNanos();
    while (TIME.nanos() < end) {
      events.addAll(sink.read());
    }
    return events;
  }

  @Test
  void sinkFromTheOldestGetsAnEventOnce() {
    try (Sink sink = billing()) {
      orders().add("order.placed", "eu", bytes("1"));
      Event event = next(sink).getFirst();
      assertThat(event.name()).isEqualTo("order.placed");
      assertThat(event.topic()).isEqualTo("eu");
      assertThat(event.payload()).isEqualTo(bytes("1"));
      assertThat(event.deliveries()).isOne();
      sink.ack(event);

      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void sinkStartsWhereItIsTold() {
    EventId first = orders().add("e", bytes("1"));
    orders().add("e", bytes("2"));

    try (Sink behind = orders().sink("a", o -> oldest(o).withStart(Start.after(first)));
        Sink zero = orders().sink("b", o -> oldest(o).withStart(Start.after(EventId.ZERO)));
        Sink newest = orders().sink("c", o -> oldest(o).withStart(Start.newest()))) {
      assertThat(payloads(next(behind))).containsExactly("2");
      assertThat(payloads(next(zero))).containsExactly("1", "2");
      assertThat(newest.read()).isEmpty();
      orders().add("e", bytes("3"));
      assertThat(payloads(next(newest))).containsExactly("3");
    }
  }

  @Test
  void laterInstanceJoinsWhereTheSinkIs() {
    add(3);
    try (Sink first = billing()) {
      first.ackAll(next(first));
    }
    orders().add("e", bytes("new"));

    try (Sink second = orders().sink("billing", o -> oldest(o).withStart(Start.oldest()))) {
      assertThat(payloads(next(second))).containsExactly("new");
    }
  }

  @Test
  void eventGoesToOneOfSeveralInstances() {
    try (Sink one = billing();
        Sink two = billingElsewhere()) {
      orders().add("e", bytes("1"));
      List<Event> got = new ArrayList<>();
      eventually(
          "one of them gets it",
          () -> {
            for (Sink sink : List.of(one, two)) {
              List<Event> events = sink.read();
              got.addAll(events);
              sink.ackAll(events);
            }
            return !got.isEmpty();
          });
      got.addAll(soon(one));
      got.addAll(soon(two));

      assertThat(got).hasSize(1);
    }
  }

  @Test
  void eventsAreSharedWithoutLossOrDouble() {
    try (Sink one = orders().sink("billing", o -> oldest(o).withBatchMax(3));
        Sink two = another().stream("orders").sink("billing", o -> oldest(o).withBatchMax(3))) {
      add(60);
      List<String> got = new ArrayList<>();
      eventually(
          () -> "all events come; so far " + got,
          () -> {
            for (Sink sink : List.of(one, two)) {
              List<Event> events = sink.read();
              got.addAll(payloads(events));
              sink.ackAll(events);
            }
            return got.size() >= 60;
          });

      assertThat(got)
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, 60).mapToObj(i -> "" + i).toList());
    }
  }

  @Test
  void eventThatIsNotAcknowledgedComesAgain() {
    orders().add("e", bytes("1"));
    try (Sink sink = billing()) {
      Event first = next(sink).getFirst();
      Event second = next(sink).getFirst();
      assertThat(second.id()).isEqualTo(first.id());
      assertThat(second.payload()).isEqualTo(first.payload());
      assertThat(second.deliveries()).isEqualTo(2);
      sink.ack(second);

      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void onlyWhatWasNotAcknowledgedComesAgain() {
    add(5);
    try (Sink sink = billing()) {
      List<Event> events = next(sink);
      assertThat(payloads(events)).containsExactly("0", "1", "2", "3", "4");
      sink.ack(events.get(3));
      sink.ackAll(List.of(events.get(0), events.get(1)));

      List<Event> again = next(sink);
      assertThat(payloads(again)).containsExactly("2", "4");
      sink.ackAll(again);
      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void otherInstanceGetsTheEventsOfOneThatClosed() {
    orders().add("e", bytes("1"));
    try (Sink other = billingElsewhere()) {
      try (Sink sink = billing()) {
        assertThat(payloads(next(sink))).containsExactly("1");
      }
      Event event = next(other).getFirst();
      assertThat(event.payload()).isEqualTo(bytes("1"));
      assertThat(event.deliveries()).isEqualTo(2);
      other.ack(event);
      assertThat(soon(other)).isEmpty();
    }
  }

  private static SinkOptions oneByOne(SinkOptions options) {
    return oldest(options).withAckGrace(Duration.ofSeconds(60)).withBatchMax(1);
  }

  /** Reads and acknowledges {@code count} events as fast as they come. */
  private static void consume(Sink sink, int count) {
    IntStream.range(0, count).forEach(i -> sink.ackAll(next(sink)));
  }

  @Test
  void instanceThatStopsReadingKeepsNothingFromOthers() {
    add(12);
    try (Sink one = orders().sink("billing", SinkConformance::oneByOne);
        Sink two = another().stream("orders").sink("billing", SinkConformance::oneByOne)) {
      consume(one, 6);

      assertThat(readAll(two, 6)).containsExactlyInAnyOrder("6", "7", "8", "9", "10", "11");
    }
  }

  @Test
  void closedInstanceKeepsNothingThatNobodyHasGot() {
    add(12);
    try (Sink one = orders().sink("billing", SinkConformance::oneByOne)) {
      consume(one, 6);
    }
    try (Sink two = orders().sink("billing", SinkConformance::oneByOne)) {
      assertThat(readAll(two, 6)).containsExactlyInAnyOrder("6", "7", "8", "9", "10", "11");
    }
  }

  /** The next {@code count} events, each of them delivered for the first time. */
  private static List<String> readAll(Sink sink, int count) {
    List<String> got = new ArrayList<>();
    while (got.size() < count) {
      for (Event event : next(sink)) {
        assertThat(event.deliveries()).as("deliveries of %s", event).isOne();
        got.add(text(event.payload()));
        sink.ack(event);
      }
    }
    return got;
  }

  @Test
  void soleInstanceGetsEventsInOrderAtWhateverPaceItReads() {
    add(40);
    List<String> got = new ArrayList<>();
    try (Sink sink = orders().sink("billing", o -> oldest(o).withBatchMax(2))) {
      for (int i = 0; i < 4; i++) {
        IntStream.range(0, 5)
            .forEach(
                j -> {
                  List<Event> events = next(sink);
                  got.addAll(payloads(events));
                  sink.ackAll(events);
                });
        pause(GRACE.dividedBy(2));
      }
      eventually(
          () -> "all events came: " + got,
          () -> {
            List<Event> events = sink.read();
            got.addAll(payloads(events));
            sink.ackAll(events);
            return got.size() >= 40;
          });
    }
    assertThat(got).isEqualTo(IntStream.range(0, 40).mapToObj(i -> "" + i).toList());
  }

  @Test
  void anyInstanceMayAcknowledge() {
    orders().add("e", bytes("1"));
    try (Sink one = billing();
        Sink two = billingElsewhere()) {
      Event event = next(one).getFirst();
      two.ack(event);

      assertThat(soon(one)).isEmpty();
    }
  }

  @Test
  void acknowledgingTwiceDoesNothing() {
    add(2);
    try (Sink sink = billing()) {
      List<Event> events = next(sink);
      sink.ack(events.getFirst());
      sink.ack(events.getFirst());
      sink.ackAll(events);
      sink.ackAll(events);

      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void sinkConsumesAllItsStreams() {
    EventStream other = pulse().stream("other");
    try (Sink sink = billing()) {
      sink.addStream(other);
      sink.addStream(other);
      orders().add("e", bytes("a"));
      other.add("e", bytes("b"));
      List<String> got = new ArrayList<>();
      eventually(
          "both streams deliver",
          () -> {
            List<Event> events = sink.read();
            sink.ackAll(events);
            got.addAll(payloads(events));
            return got.size() == 2;
          });

      assertThat(got).containsExactlyInAnyOrder("a", "b");
      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void streamThatTwoThreadsAddAtOnceIsHeldByOneInstance() throws Exception {
    for (int round = 0; round < 20; round++) {
      EventStream other = pulse().stream("other-" + round);
      try (Sink sink = billing()) {
        List<Thread> threads =
            IntStream.range(0, 2)
                .mapToObj(i -> Thread.ofVirtual().start(() -> sink.addStream(other)))
                .toList();
        for (Thread thread : threads) {
          thread.join();
        }
        other.add("e", bytes("x"));
        List<Event> events = next(sink);

        assertThat(sink.extend(events)).as("round %d", round).isEqualTo(events);
        sink.ackAll(events);
      }
    }
  }

  @Test
  void streamCanBeRemovedAndAddedAgain() {
    EventStream other = pulse().stream("other");
    try (Sink sink = billing()) {
      sink.addStream(other);
      sink.removeStream(other);
      EventId first = other.add("e", bytes("b1"));
      orders().add("e", bytes("a"));
      List<Event> events = next(sink);
      assertThat(payloads(events)).containsExactly("a");
      sink.ackAll(events);

      sink.addStream(other, Start.after(first));
      sink.removeStream(orders());
      other.add("e", bytes("b2"));
      List<String> got = new ArrayList<>();
      eventually(
          "the later event comes",
          () -> {
            List<Event> more = sink.read();
            sink.ackAll(more);
            got.addAll(payloads(more));
            return got.contains("b2");
          });
      orders().add("e", bytes("not read"));
      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void destroyAfterCloseLeavesNothing() {
    try (Sink sink = billing()) {
      orders().add("e", bytes("1"));
      assertThat(next(sink)).hasSize(1);
    }
    orders().destroy();

    assertThat(orders().length()).isZero();
    assertThat(orders().addIfExists("e", "", bytes("2"))).isEmpty();
  }

  @Test
  void destroyForgetsTheSinks() {
    try (Sink sink = billing()) {
      add(3);
      sink.ackAll(next(sink));
    }
    orders().destroy();
    add(2);

    try (Sink fresh = billing()) {
      assertThat(payloads(next(fresh))).containsExactly("0", "1");
    }
  }

  @Test
  void sinkGoesOnWhenItsStreamIsDestroyedAndBeginsAnew() {
    try (Sink sink = billing()) {
      orders().add("e", bytes("old"));
      sink.ackAll(next(sink));
      orders().destroy();
      assertThat(sink.read()).isEmpty();
      orders().add("e", bytes("new"));

      List<Event> events = next(sink);
      assertThat(payloads(events)).containsExactly("new");
      sink.ackAll(events);
    }
  }

  @Test
  void everySinkGetsEveryEvent() {
    add(20);
    try (Sink billing = billing();
        Sink shipping = orders().sink("shipping", SinkConformance::oldest)) {
      assertThat(next(billing)).hasSize(20);
      assertThat(next(shipping)).hasSize(20);
    }
  }

  @Test
  void sinkWithoutAcknowledgementsDeliversOnce() {
    add(5);
    try (Sink sink = orders().sink("fast", o -> oldest(o).withNoAck(true));
        Sink second = another().stream("orders").sink("fast", o -> oldest(o).withNoAck(true))) {
      assertThat(next(sink)).hasSize(5);

      assertThat(soon(second)).isEmpty();
      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void sinkWithoutAcknowledgementsKeepsWhatComesBetweenTwoReads() {
    EventStream other = pulse().stream("other");
    Duration longer = GRACE.multipliedBy(10);
    try (Sink sink = orders().sink("fast", o -> oldest(o).withNoAck(true).withBlock(longer))) {
      sink.addStream(other);
      add(1);
      assertThat(next(sink)).hasSize(1);
      other.add("e", bytes("fetched by a read that has ended"));
      pause(GRACE.multipliedBy(2));

      assertThat(payloads(next(sink))).containsExactly("fetched by a read that has ended");
    }
  }

  @Test
  void eventsOfOtherTopicsDoNotStayPending() {
    orders().add("e", "us", bytes("1"));
    orders().add("e", "eu", bytes("2"));
    orders().add("e", "us", bytes("3"));
    try (Sink sink = orders().sink("european", o -> oldest(o).withTopic("eu"))) {
      List<Event> events = next(sink);
      assertThat(payloads(events)).containsExactly("2");
      sink.ackAll(events);
      assertThat(soon(sink)).isEmpty();
    }
    try (Sink all = orders().sink("european", SinkConformance::oldest)) {
      assertThat(soon(all)).isEmpty();
    }
  }

  @Test
  void closeEndsABlockedReadAtOnce() throws Exception {
    Sink sink = orders().sink("billing", o -> oldest(o).withBlock(Duration.ofSeconds(30)));
    Thread reader = Thread.ofVirtual().start(sink::read);
    eventually("the read waits", () -> reader.getState() != Thread.State.RUNNABLE);

    within(
        A_SECOND,
        "close",
        () -> {
          sink.close();
          return sink.isClosed();
        });
    assertThat(reader.join(A_SECOND)).isTrue();
  }

  @Test
  void closedSinkSaysSo() {
    orders().add("e", bytes("1"));
    Sink sink = billing();
    Event event = next(sink).getFirst();
    sink.close();
    sink.close();

    assertThat(sink.isClosed()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> sink.addStream(orders()));
    assertThatIllegalStateException().isThrownBy(() -> sink.removeStream(orders()));
    assertThatIllegalStateException().isThrownBy(sink::read);
    assertThatIllegalStateException().isThrownBy(() -> sink.ack(event));
    assertThatIllegalStateException().isThrownBy(() -> sink.subscribe(each -> {}));
  }

  @Test
  void eventThatAlwaysFailsBecomesADeadLetter() {
    EventId id = orders().add("order.placed", "eu", bytes("poison"));
    orders().add("e", bytes("good"));
    try (Sink sink = orders().sink("billing", o -> oldest(o).withDeliveriesMax(2));
        Reader dead =
            pulse().stream("orders:dead")
                .reader(o -> o.withStart(Start.oldest()).withBlock(SOON))) {
      List<Event> events = new ArrayList<>();
      eventually(
          "the letter comes",
          () -> {
            List<Event> batch = sink.read();
            batch.stream().filter(e -> !e.id().equals(id)).forEach(sink::ack);
            events.addAll(dead.read());
            return !events.isEmpty();
          });

      assertThat(events).hasSize(1);
      assertThat(events.getFirst().name()).isEqualTo("order.placed");
      assertThat(events.getFirst().topic()).isEqualTo("eu");
      DeadLetter letter = DeadLetter.of(events.getFirst());
      assertThat(letter.stream()).isEqualTo("orders");
      assertThat(letter.id()).isEqualTo(id);
      assertThat(letter.deliveries()).isEqualTo(2);
      assertThat(letter.payload()).isEqualTo(bytes("poison"));
      assertThat(soon(sink)).isEmpty();
    }
  }

  @Test
  void deadLettersGoToTheStreamThatIsNamed() {
    orders().add("e", bytes("poison"));
    try (Sink sink = orders().sink("billing", o -> oldest(o).withDeadLetters(1, "graveyard"))) {
      assertThat(next(sink)).hasSize(1);
      eventually(
          "the letter comes",
          () -> {
            assertThat(sink.read()).isEmpty();
            return pulse().stream("graveyard").length() == 1;
          });
    }
  }

  @Test
  void eventThatIsNoDeadLetterIsRefused() {
    orders().add("e", bytes("x"));
    try (Sink sink = billing()) {
      Event event = next(sink).getFirst();
      assertThatIllegalArgumentException().isThrownBy(() -> DeadLetter.of(event));
    }
  }

  @Test
  void instanceWithAnotherGraceIsRefused() {
    try (Sink sink = billing()) {
      assertThat(sink.name()).isEqualTo("billing");
      assertThatThrownBy(
              () -> orders().sink("billing", o -> oldest(o).withAckGrace(Duration.ofMillis(777))))
          .isInstanceOf(PulseException.class)
          .hasMessageContaining("PT0.777S")
          .hasMessageContaining(GRACE.toString());
    }
  }

  private static final Duration OTHER_GRACE = GRACE.multipliedBy(3);

  private Sink billingWithAnotherGrace() {
    return another().stream("orders").sink("billing", o -> oldest(o).withAckGrace(OTHER_GRACE));
  }

  @Test
  void graceCanChangeWhenNoInstanceIsLeft() {
    add(1);
    try (Sink sink = billing()) {
      sink.ackAll(next(sink));
    }
    add(1);
    try (Sink sink = billingWithAnotherGrace()) {
      assertThat(next(sink)).hasSize(1);
      assertThatThrownBy(this::billing)
          .isInstanceOf(PulseException.class)
          .hasMessageContaining(OTHER_GRACE.toString());
    }
  }

  @Test
  void instanceThatWasSilentForTooLongIsRefusedWhenOthersHaveAgreedOnSomethingElse() {
    try (Sink silent = billing()) {
      pause(GRACE.multipliedBy(5).dividedBy(2));
      try (Sink other = billingWithAnotherGrace()) {
        add(1);
        assertThatThrownBy(silent::read)
            .isInstanceOf(PulseException.class)
            .hasMessageContaining("ackGrace");
        assertThat(next(other)).hasSize(1);
      }
    }
  }

  private void assertRefused(String option, UnaryOperator<SinkOptions> change) {
    assertThatThrownBy(
            () ->
                another().stream("orders")
                    .sink("billing", o -> change.apply(oldest(o).withDeliveriesMax(2))))
        .as(option)
        .isInstanceOf(PulseException.class)
        .hasMessageContaining(option + " ");
  }

  @Test
  void instanceThatDisagreesOnWhatAllShareIsRefused() {
    try (Sink sink = orders().sink("billing", o -> oldest(o).withDeliveriesMax(2))) {
      assertRefused("noAck", o -> o.withUnlimitedDeliveries().withNoAck(true));
      assertRefused("deliveriesMax", o -> o.withDeliveriesMax(3));
      assertRefused("deadLetters", o -> o.withDeadLetters(2, "graveyard"));
      assertRefused("topic", o -> o.withTopic("eu"));
      assertRefused("topicPattern", o -> o.withTopicPattern("^eu"));
      add(1);
      assertThat(next(sink)).hasSize(1);
    }
  }

  @Test
  void optionsThatContradictAreRefused() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> orders().sink("s", o -> o.withTopicPattern("[")));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> orders().sink("s", o -> o.withNoAck(true).withDeliveriesMax(3)))
        .withMessageContaining("noAck")
        .withMessageContaining("deliveriesMax");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> orders().sink("s", o -> o.withParallel(0)));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> orders().sink("s", o -> o.withBlock(Duration.ZERO)))
        .withMessageContaining("block");
    assertThatExceptionOfType(UsageException.class)
        .as("a grace that Redis would count as none")
        .isThrownBy(() -> orders().sink("s", o -> o.withAckGrace(Duration.ofNanos(999_999))))
        .withMessageContaining("ackGrace");
    assertThatIllegalArgumentException().isThrownBy(() -> orders().sink("not a name"));
  }

  @Test
  void defaultsAreThoseOfTheDocumentation() {
    SinkOptions options = SinkOptions.DEFAULTS;
    assertThat(options.start()).isEqualTo(Start.newest());
    assertThat(options.block()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.batchMax()).isEqualTo(1_000);
    assertThat(options.buffer()).isEqualTo(1_000);
    assertThat(options.ackGrace()).isEqualTo(Duration.ofSeconds(20));
    assertThat(options.noAck()).isFalse();
    assertThat(options.parallel()).isOne();
    assertThat(options.deliveriesMax()).isEmpty();
  }

  @Test
  void eventOfAStreamThatIsNotConsumedCannotBeAcknowledged() {
    EventStream other = pulse().stream("other");
    other.add("e", bytes("1"));
    try (Sink sink = billing();
        Reader reader = other.reader(o -> o.withStart(Start.oldest()).withBlock(SOON))) {
      Event event = next(reader).getFirst();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sink.ack(event))
          .withMessageContaining("'other'");
    }
  }

  @Test
  void trimmedEventIsNotDeliveredAgain() {
    EventStream small = pulse().stream("small", o -> o.withLengthMax(2));
    small.add("e", bytes("lost"));
    try (Sink sink = small.sink("s", SinkConformance::oldest)) {
      assertThat(payloads(next(sink))).containsExactly("lost");
      small.remove(List.of(firstId(small)));
      small.add("e", bytes("2"));

      List<Event> events = new ArrayList<>(soon(sink));
      assertThat(payloads(events)).contains("2").doesNotContain("lost");
    }
  }

  private static EventId firstId(EventStream stream) {
    try (Reader reader = stream.reader(o -> o.withStart(Start.oldest()).withBlock(SOON))) {
      return next(reader).getFirst().id();
    }
  }
}
