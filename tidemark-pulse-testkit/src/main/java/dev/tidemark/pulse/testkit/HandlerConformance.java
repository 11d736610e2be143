package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store has to do for handlers that subscribe to sinks. */
public abstract class HandlerConformance extends PulseConformance {
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** For subclasses. */
  protected HandlerConformance() {}

  private static SinkOptions oldest(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(GRACE).withAckGrace(GRACE);
  }

  private EventStream orders() {
    return pulse().stream("orders");
  }

  private void add(int count) {
    IntStream.range(0, count).forEach(i -> orders().add("e", bytes("" + i)));
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> "" + i).toList();
  }

  @Test
  void handlerGetsEventsInOrderAndAcknowledgesThem() {
    EventCollector events = new EventCollector();
    add(50);
    try (Sink sink = orders().sink("s", HandlerConformance::oldest)) {
      sink.subscribe(events);
      eventually("all arrive", () -> events.size() == 50);
      add(10);
      eventually("the new ones too", () -> events.size() == 60);
      pause(GRACE.multipliedBy(2));
    }
    assertThat(events.payloads().subList(0, 50)).isEqualTo(numbers(50));
    assertThat(events.size()).isEqualTo(60);
    try (Sink sink = orders().sink("s", HandlerConformance::oldest)) {
      assertThat(sink.read()).isEmpty();
    }
  }

  @Test
  void eventWhoseHandlerFailsIsDeliveredAgain() {
    AtomicInteger attempts = new AtomicInteger();
    EventCollector done = new EventCollector();
    orders().add("e", bytes("1"));
    try (Sink sink = orders().sink("s", HandlerConformance::oldest)) {
      Subscription subscription =
          sink.subscribe(
              event -> {
                if (attempts.incrementAndGet() < 3) {
                  throw new IllegalStateException("on purpose");
                }
                done.accept(event);
              });
      eventually("the third attempt succeeds", () -> done.size() == 1);
      assertThat(done.events().getFirst().deliveries()).isEqualTo(3);
      assertThat(subscription.isEnded()).isFalse();
      pause(GRACE.multipliedBy(2));
      assertThat(attempts).hasValue(3);
    }
  }

  @Test
  void errorOfAHandlerEndsTheSubscriptionWhichThenClaimsNothing() {
    Duration longer = Duration.ofMinutes(1);
    try (Sink sink = orders().sink("s", o -> oldest(o).withAckGrace(longer))) {
      Subscription subscription =
          sink.subscribe(
              (Event event) -> {
                throw new StackOverflowError("on purpose");
              });
      add(1);
      eventually("it ends", subscription::isEnded);
      assertThat(subscription.failure()).isPresent();
      pause(GRACE);

      add(20);
      List<Event> got = new ArrayList<>();
      eventually("the rest is there to be read", () -> got.addAll(sink.read()) && got.size() == 20);
    }
  }

  @Test
  void handlerThatLeavesItsThreadInterruptedGetsWhatFollows() {
    EventCollector events = new EventCollector();
    try (Sink sink = orders().sink("s", HandlerConformance::oldest)) {
      Subscription subscription =
          sink.subscribe(
              event -> {
                events.accept(event);
                Thread.currentThread().interrupt();
              });
      for (int i = 1; i <= 3; i++) {
        int count = i;
        add(1);
        eventually("event %d comes".formatted(i), () -> events.size() == count);
      }
      assertThat(subscription.isEnded()).isFalse();
    }
  }

  @Test
  void subscriptionsShareTheEvents() {
    EventCollector one = new EventCollector();
    EventCollector two = new EventCollector();
    try (Sink sink = orders().sink("s", o -> oldest(o).withBatchMax(2));
        Sink other = another().stream("orders").sink("s", o -> oldest(o).withBatchMax(2))) {
      sink.subscribe(one);
      other.subscribe(two);
      add(100);
      eventually(
          () -> "all arrive; so far " + one.size() + " and " + two.size(),
          () -> one.size() + two.size() >= 100);
      pause(GRACE.multipliedBy(2));
    }
    List<String> all = new ArrayList<>(one.payloads());
    all.addAll(two.payloads());
    assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(100));
  }

  @Test
  void handlersRunInParallelUpToTheirNumber() throws Exception {
    CountDownLatch together = new CountDownLatch(4);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Set<String> done = ConcurrentHashMap.newKeySet();
    add(40);
    try (Sink sink = orders().sink("s", o -> oldest(o).withParallel(4))) {
      sink.subscribe(
          event -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            together.countDown();
            await(together);
            running.decrementAndGet();
            done.add(text(event.payload()));
          });
      eventually("all are done", () -> done.size() == 40);
    }
    assertThat(most).hasValue(4);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", interrupt);
    }
  }

  @Test
  void eventsThatWaitForTheHandlerAreNotDeliveredElsewhere() {
    EventCollector slow = new EventCollector();
    EventCollector other = new EventCollector();
    add(30);
    try (Sink sink = orders().sink("s", HandlerConformance::oldest)) {
      CountDownLatch began = new CountDownLatch(1);
      sink.subscribe(
          event -> {
            began.countDown();
            pause(GRACE.dividedBy(10));
            slow.accept(event);
          });
      await(began);
      try (Sink second = another().stream("orders").sink("s", HandlerConformance::oldest)) {
        second.subscribe(other);
        eventually("all are handled", () -> slow.size() + other.size() >= 30);
      }
    }
    assertThat(other.payloads()).isEmpty();
    assertThat(slow.payloads()).isEqualTo(numbers(30));
  }

  @Test
  void eventsBehindAStuckHandlerGoElsewhere() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    EventCollector other = new EventCollector();
    add(5);
    try (Sink stuck = orders().sink("s", HandlerConformance::oldest)) {
      stuck.subscribe(
          event -> {
            began.countDown();
            await(never);
          });
      began.await();
      try (Sink second = another().stream("orders").sink("s", HandlerConformance::oldest)) {
        second.subscribe(other);
        eventually("the others come", () -> other.payloads().containsAll(numbers(5)));
      }
    }
    never.countDown();
  }

  private static SinkOptions onceWithinAnHour(SinkOptions options) {
    return oldest(options).withAckGrace(Duration.ofHours(1)).withDeliveriesMax(1);
  }

  /** Has another instance get {@code count} events, each of them for the first time. */
  private void assertOthersGetWhatWaited(int first, int count) {
    EventCollector other = new EventCollector();
    try (Sink second = another().stream("orders").sink("s", HandlerConformance::onceWithinAnHour)) {
      second.subscribe(other);
      eventually(
          () -> "the others come at once; so far " + other.payloads(), () -> other.size() == count);
    }
    assertThat(other.payloads()).isEqualTo(numbers(first + count).subList(first, first + count));
    assertThat(other.events()).allSatisfy(event -> assertThat(event.deliveries()).isOne());
    assertThat(pulse().stream("orders:dead").length()).isZero();
  }

  @Test
  void eventsThatWaitBehindASlowHandlerAreNotCountedAsTried() throws Exception {
    add(100);
    Set<String> handled = ConcurrentHashMap.newKeySet();
    CountDownLatch go = new CountDownLatch(1);
    try (Sink sink = orders().sink("s", o -> oldest(o).withDeadLetters(1, "dead"))) {
      sink.subscribe(
          (Event event) -> {
            if (handled.isEmpty()) {
              await(go);
            }
            pause(Duration.ofMillis(10));
            handled.add(text(event.payload()));
          });
      pause(GRACE.multipliedBy(4).plusMillis(150)); // between two renewals
      go.countDown();
      eventually(() -> "all are handled; so far " + handled.size(), () -> handled.size() == 100);
      pause(GRACE.multipliedBy(2));
    }
    assertThat(pulse().stream("dead").length())
        .as("dead letters; only the slow one was tried for longer than the grace")
        .isLessThanOrEqualTo(1);
  }

  @Test
  void eventsThatWaitedForAClosedSubscriptionGoToOthersAsIfTheyHadNeverLeft() {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    add(10);
    try (Sink sink = orders().sink("s", o -> onceWithinAnHour(o).withBuffer(2))) {
      Subscription subscription =
          sink.subscribe(
              event -> {
                began.countDown();
                await(never);
              });
      await(began);
      subscription.close();

      assertOthersGetWhatWaited(1, 9);
    }
  }

  @Test
  void eventsThatWaitedBehindAnErrorGoToOthersAsIfTheyHadNeverLeft() {
    add(10);
    try (Sink sink = orders().sink("s", o -> onceWithinAnHour(o).withBuffer(2))) {
      Subscription subscription =
          sink.subscribe(
              (Event event) -> {
                throw new StackOverflowError("on purpose");
              });
      eventually("it ends", subscription::isEnded);

      assertOthersGetWhatWaited(1, 9);
    }
  }

  @Test
  void eventsThatWaitedForAClosedSinkGoToOthersAndItsOwnStayAcknowledged() {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch third = new CountDownLatch(3);
    add(12);
    try (Sink sink = orders().sink("s", HandlerConformance::onceWithinAnHour)) {
      sink.subscribe(
          event -> {
            third.countDown();
            if (third.getCount() == 0) {
              await(never);
            }
          });
      await(third);
    }
    assertOthersGetWhatWaited(3, 9);
  }

  @Test
  void eventsThatWaitedGoToOthersAlsoIfWhoClosesTheSinkIsInterrupted() {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    add(10);
    boolean stillInterrupted;
    try (Sink sink = orders().sink("s", o -> onceWithinAnHour(o).withBuffer(2))) {
      sink.subscribe(
          event -> {
            began.countDown();
            await(never);
          });
      await(began);
      Thread.currentThread().interrupt();
    } finally {
      stillInterrupted = Thread.interrupted();
    }
    assertThat(stillInterrupted).isTrue();
    assertOthersGetWhatWaited(1, 9);
  }

  @Test
  void closedSubscriptionGetsNothingMore() {
    EventCollector events = new EventCollector();
    try (Sink sink = orders().sink("s", HandlerConformance::oldest)) {
      Subscription subscription = sink.subscribe(events);
      add(1);
      eventually("it arrives", () -> events.size() == 1);
      subscription.close();
      assertThat(subscription.isEnded()).isTrue();
      assertThat(subscription.failure()).isEmpty();
      add(1);
      List<Event> read = new ArrayList<>();
      eventually("the next one is read", () -> read.addAll(sink.read()));
      assertThat(read).hasSize(1);
      sink.ackAll(read);
      assertThat(events.size()).isOne();
    }
  }

  @Test
  void closeReturnsSoonAlthoughAHandlerNeverReturns() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    add(20);
    Sink sink = orders().sink("s", o -> oldest(o).withBuffer(1));
    sink.subscribe(
        event -> {
          began.countDown();
          boolean released = false;
          while (!released) {
            try {
              never.await();
              released = true;
            } catch (InterruptedException ignored) {
              // This is what the test is about.
            }
          }
        });
    began.await();

    within(
        Duration.ofSeconds(3),
        "close",
        () -> {
          sink.close();
          return sink.isClosed();
        });
    never.countDown();
  }
}
