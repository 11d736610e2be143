package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.EventTicket;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.testkit.decorate.ForwardingTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What streams and sinks on a store with transactions have to do inside those. */
public abstract class StreamTransactionConformance extends PulseConformance {
  private static final Duration GRACE = Duration.ofMillis(600);
  private static final Duration SOON = Duration.ofMillis(80);

  /** For subclasses. */
  protected StreamTransactionConformance() {}

  /** The database of the running test. */
  protected abstract Database database();

  private static SinkOptions oldest(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(SOON).withAckGrace(GRACE);
  }

  /** Nothing is delivered again while a test is slow. */
  private static SinkOptions patient(SinkOptions options) {
    return oldest(options).withAckGrace(Duration.ofMinutes(5));
  }

  private static Key key(Object... path) {
    return Subspace.of("app").pack(path);
  }

  private EventStream orders() {
    return pulse().stream("orders");
  }

  private static List<String> contents(EventStream stream) {
    try (Reader reader = stream.reader(o -> o.withStart(Start.oldest()).withBlock(SOON))) {
      return EventCollector.drain(reader).payloads();
    }
  }

  private static Event next(Sink sink) {
    List<Event> events = new ArrayList<>();
    eventually(
        "an event comes to the sink",
        () -> {
          events.addAll(sink.read());
          return !events.isEmpty();
        });
    return events.getFirst();
  }

  private boolean acked(Sink sink, Event event) {
    return database().transact(tx -> sink.ack(tx, event));
  }

  @Test
  void storeSaysThatItHasTransactions() {
    assertThat(pulse().capabilities().transactions()).isTrue();
    assertThat(pulse().capabilities().exactLength()).isTrue();
    assertThat(pulse().capabilities().durableAcknowledgement()).isTrue();
  }

  @Test
  void eventAndRecordAreThereTogetherOrNotAtAll() {
    assertThatThrownBy(
            () ->
                database()
                    .run(
                        tx -> {
                          tx.set(key("order"), bytes("1"));
                          orders().add(tx, "e", "", bytes("1"));
                          throw new IllegalStateException("changed my mind");
                        }))
        .hasMessage("changed my mind");
    assertThat(orders().length()).isZero();
    assertThat(orders().addIfExists("e", "", bytes("x"))).isEmpty();

    database()
        .run(
            tx -> {
              tx.set(key("order"), bytes("2"));
              orders().add(tx, "e", "", bytes("2"));
            });
    assertThat(contents(orders())).containsExactly("2");
    byte[] order = database().read(tx -> tx.get(key("order")).orElseThrow());
    assertThat(order).isEqualTo(bytes("2"));
  }

  @Test
  void eventsOfOneTransactionComeInTheOrderOfTheCalls() {
    EventStream viaAnother = another().stream("orders");
    List<String> expected = IntStream.range(0, 300).mapToObj(i -> "" + i).toList();
    List<EventTicket> tickets =
        database()
            .transact(
                tx ->
                    IntStream.range(0, 300)
                        .mapToObj(
                            i ->
                                (i % 2 == 0 ? orders() : viaAnother)
                                    .add(tx, "e", "", bytes("" + i)))
                        .toList());

    assertThat(contents(orders())).isEqualTo(expected);
    assertThat(tickets.stream().map(EventTicket::id).toList()).isSorted().doesNotHaveDuplicates();
  }

  /** As a decorator of a database does, of which another part of the program knows nothing. */
  @Test
  void eventsThatAreAddedThroughAWrapperOfTheTransactionKeepTheOrderToo() {
    List<String> expected = IntStream.range(0, 20).mapToObj(i -> "" + i).toList();
    database()
        .run(
            tx -> {
              Transaction wrapped = new ForwardingTransaction(tx) {};
              for (int i = 0; i < expected.size(); i++) {
                orders().add(i % 2 == 0 ? tx : wrapped, "e", "", bytes("" + i));
              }
            });

    assertThat(contents(orders())).isEqualTo(expected);
  }

  @Test
  void ticketHasTheIdOfTheEvent() {
    EventTicket ticket = database().transact(tx -> orders().add(tx, "e", "", bytes("1")));

    try (Reader reader = orders().reader(o -> o.withStart(Start.oldest()).withBlock(SOON))) {
      assertThat(next(reader).getFirst().id()).isEqualTo(ticket.id());
    }
  }

  @Test
  void ticketHasNoIdBeforeTheCommit() {
    try (Transaction tx = database().begin()) {
      EventTicket ticket = orders().add(tx, "e", "", bytes("1"));
      assertThatIllegalStateException().isThrownBy(ticket::id);
    }
    assertThat(orders().length()).isZero();
  }

  @Test
  void handlerAndAcknowledgementHappenTogether() {
    AtomicInteger attempts = new AtomicInteger();
    EventStream shipments = pulse().stream("shipments");
    orders().add("e", bytes("1"));
    try (Sink sink = orders().sink("s", StreamTransactionConformance::oldest)) {
      sink.subscribe(
          (tx, event) -> {
            tx.set(key("attempt", attempts.incrementAndGet()), event.payload());
            shipments.add(tx, "shipped", "", event.payload());
            if (event.deliveries() < 3) {
              throw new IllegalStateException("on purpose");
            }
          });
      eventually("the third delivery succeeds", () -> shipments.length() > 0);
      pause(GRACE.multipliedBy(2));
    }
    assertThat(contents(shipments)).containsExactly("1");
    List<KeyValue> effects =
        database().read(tx -> tx.scan(Subspace.of("app", "attempt").range()).list());
    assertThat(effects).hasSize(1);
  }

  @Test
  void sinkWithoutAcknowledgementsHasNoneForATransaction() {
    try (Sink sink = orders().sink("s", o -> oldest(o).withNoAck(true))) {
      assertThatIllegalStateException()
          .isThrownBy(() -> sink.subscribe((tx, event) -> {}))
          .withMessageContaining("noAck")
          .withMessageContaining("'s'");
    }
  }

  @Test
  void eventWhoseHandlerFailsToTheEndHasNoEffectAndIsADeadLetter() {
    orders().add("e", bytes("1"));
    try (Sink sink = orders().sink("s", o -> oldest(o).withDeliveriesMax(2))) {
      sink.subscribe(
          (tx, event) -> {
            tx.set(key("effect"), event.payload());
            throw new IllegalStateException("on purpose");
          });
      eventually("the letter", () -> pulse().stream("orders:dead").length() == 1);
    }
    assertThat(database().<Boolean, RuntimeException>read(tx -> tx.get(key("effect")).isPresent()))
        .isFalse();
  }

  @Test
  void acknowledgementInATransactionCountsOnce() {
    orders().add("e", bytes("1"));
    try (Sink one = orders().sink("s", StreamTransactionConformance::oldest);
        Sink two = another().stream("orders").sink("s", StreamTransactionConformance::oldest)) {
      Event event = next(one);
      assertThat(acked(one, event)).isTrue();
      assertThat(acked(one, event)).isFalse();
      assertThat(acked(two, event)).isFalse();
      pause(GRACE.multipliedBy(2));
      assertThat(one.read()).isEmpty();
      assertThat(two.read()).isEmpty();
    }
  }

  @Test
  void instanceThatWasSlowFindsItsEventDone() {
    orders().add("e", bytes("1"));
    try (Sink slow = orders().sink("s", StreamTransactionConformance::oldest);
        Sink quick = another().stream("orders").sink("s", StreamTransactionConformance::oldest)) {
      Event held = next(slow);
      Event taken = next(quick);
      assertThat(taken.id()).isEqualTo(held.id());
      assertThat(acked(quick, taken)).isTrue();
      assertThat(acked(slow, held)).isFalse();
    }
  }

  private void addMany(int from, int to) {
    for (int i = from; i < to; i++) {
      orders().add("e", bytes("" + i));
    }
  }

  /** Reads until there are so many, in as many batches as it takes. */
  private static List<Event> next(Sink sink, int count) {
    List<Event> events = new ArrayList<>();
    eventually(
        count + " events come to the sink",
        () -> {
          events.addAll(sink.read());
          return events.size() >= count;
        });
    return events;
  }

  private List<Event> ackedOf(Sink sink, List<Event> events) {
    return database().transact(tx -> sink.ackAll(tx, events));
  }

  @Test
  void manyEventsOfSeveralBatchesAreAcknowledgedInOneTransaction() {
    try (Sink sink = orders().sink("s", StreamTransactionConformance::patient)) {
      addMany(0, 5);
      List<Event> events = new ArrayList<>(next(sink, 5));
      addMany(5, 10);
      events.addAll(next(sink, 5));

      assertThat(ackedOf(sink, events)).isEqualTo(events);
      assertThat(ackedOf(sink, events)).isEmpty();
      assertThat(acked(sink, events.getFirst())).isFalse();
      orders().add("e", bytes("last"));
      assertThat(next(sink).payload()).isEqualTo(bytes("last"));
    }
  }

  @Test
  void ofManyEventsThoseCountThatWereStillToBeAcknowledged() {
    addMany(0, 8);
    try (Sink sink = orders().sink("s", StreamTransactionConformance::patient)) {
      List<Event> events = next(sink, 8);
      assertThat(acked(sink, events.get(2))).isTrue();
      sink.ackAll(events.subList(5, 7));

      assertThat(ackedOf(sink, events.subList(0, 4)))
          .containsExactly(events.get(0), events.get(1), events.get(3));
      assertThat(ackedOf(sink, events)).containsExactly(events.get(4), events.get(7));
      assertThat(ackedOf(sink, events)).isEmpty();
      assertThat(ackedOf(sink, List.of())).isEmpty();
    }
  }

  @Test
  void whatOneTransactionLeavesOfABatchIsDeliveredAgain() {
    addMany(0, 6);
    try (Sink sink = orders().sink("s", StreamTransactionConformance::patient)) {
      List<Event> events = next(sink, 6);
      assertThat(ackedOf(sink, events.subList(0, 4))).hasSize(4);
      sink.release(events);

      assertThat(next(sink, 2).stream().map(Event::id).toList())
          .containsExactly(events.get(4).id(), events.get(5).id());
    }
  }

  @Test
  void ofTwoTransactionsWithTheSameEventsOneAcknowledgesThem() {
    addMany(0, 6);
    try (Sink sink = orders().sink("s", StreamTransactionConformance::patient)) {
      List<Event> events = next(sink, 6);
      try (Transaction slow = database().begin()) {
        assertThat(sink.ackAll(slow, events)).hasSize(6);
        assertThat(ackedOf(sink, events.subList(3, 5))).hasSize(2);

        assertThatThrownBy(slow::commit).isInstanceOf(ConflictException.class);
      }
      assertThat(ackedOf(sink, events)).hasSize(4);
    }
  }

  @Test
  void abandonedTransactionAcknowledgesNothing() {
    orders().add("e", bytes("1"));
    try (Sink sink = orders().sink("s", StreamTransactionConformance::oldest)) {
      Event event = next(sink);
      try (Transaction tx = database().begin()) {
        assertThat(sink.ack(tx, event)).isTrue();
      }
      assertThat(next(sink).deliveries()).isEqualTo(2);
    }
  }
}
