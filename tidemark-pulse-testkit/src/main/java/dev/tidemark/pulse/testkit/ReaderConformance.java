package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.ReaderOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store has to do for readers of streams. */
public abstract class ReaderConformance extends PulseConformance {
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** For subclasses. */
  protected ReaderConformance() {}

  private static ReaderOptions oldest(ReaderOptions options) {
    return newest(options).withStart(Start.oldest());
  }

  private static ReaderOptions newest(ReaderOptions options) {
    return options.withBlock(SOON);
  }

  private static ReaderOptions audit(ReaderOptions options) {
    return oldest(options).withName("audit");
  }

  private EventStream orders() {
    return pulse().stream("orders");
  }

  private static List<String> read(Reader reader) {
    return EventCollector.drain(reader).payloads();
  }

  @Test
  void readerFromTheOldestGetsAnEventThatIsAdded() {
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      orders().add("order.placed", bytes("1"));

      List<Event> events = next(reader);
      assertThat(events).hasSize(1);
      assertThat(events.getFirst().name()).isEqualTo("order.placed");
      assertThat(events.getFirst().payload()).isEqualTo(bytes("1"));
    }
  }

  @Test
  void readerStartsBehindAnId() {
    EventId first = orders().add("e", bytes("1"));
    orders().add("e", bytes("2"));

    try (Reader reader = orders().reader(o -> oldest(o).withStart(Start.after(first)))) {
      assertThat(read(reader)).containsExactly("2");
    }
  }

  @Test
  void readerBehindZeroGetsEverything() {
    orders().add("e", bytes("1"));
    orders().add("e", bytes("2"));

    try (Reader reader =
        orders().reader(o -> oldest(o).withStart(Start.after(EventId.parse("0"))))) {
      assertThat(read(reader)).containsExactly("1", "2");
    }
  }

  @Test
  void readerStartsAtATime() {
    orders().add("e", bytes("1"));
    pause(Duration.ofMillis(20));
    orders().add("e", bytes("2"));
    Event second;
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      second = next(reader).getLast();
    }

    try (Reader reader = orders().reader(o -> oldest(o).withStart(Start.at(second.createdAt())))) {
      assertThat(read(reader)).containsExactly("2");
    }
  }

  @Test
  void readerStartsAtATimeHoweverFarAwayItIs() {
    orders().add("e", bytes("1"));

    try (Reader first = orders().reader(o -> oldest(o).withStart(Start.at(Instant.MIN)));
        Reader last = orders().reader(o -> oldest(o).withStart(Start.at(Instant.MAX)))) {
      assertThat(read(first)).containsExactly("1");
      assertThat(last.read()).isEmpty();
    }
  }

  @Test
  void readerAtTheNewestGetsNothingOlder() {
    orders().add("e", bytes("old"));

    try (Reader reader = orders().reader(ReaderConformance::newest)) {
      assertThat(reader.read()).isEmpty();
      orders().add("e", bytes("new"));
      assertThat(read(reader)).containsExactly("new");
    }
  }

  @Test
  void readerAtTheNewestMissesNothingBetweenTwoReads() {
    try (Reader reader = orders().reader(ReaderConformance::newest)) {
      assertThat(reader.read()).isEmpty();
      assertThat(reader.read()).isEmpty();
      orders().add("e", bytes("between"));
      pause(Duration.ofMillis(20));
      assertThat(read(reader)).containsExactly("between");
    }
  }

  @Test
  void readerSeesWhatIsAddedBeforeItsFirstRead() {
    try (Reader reader = orders().reader(ReaderConformance::newest)) {
      orders().add("e", bytes("1"));
      assertThat(read(reader)).containsExactly("1");
    }
  }

  @Test
  void patternThatIsNoneIsRefused() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> orders().reader(o -> o.withTopicPattern("(")))
        .withMessageContaining("'('");
  }

  @Test
  void readerReadsAllItsStreamsOnce() {
    EventStream other = pulse().stream("other");
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      reader.addStream(other);
      reader.addStream(other);
      orders().add("e", bytes("a"));
      other.add("e", bytes("b"));

      assertThat(read(reader)).containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  void removedStreamIsReadNoMore() {
    EventStream other = pulse().stream("other");
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      reader.addStream(other);
      reader.removeStream(other);
      reader.removeStream(other);
      other.add("e", bytes("b"));
      orders().add("e", bytes("a"));

      assertThat(read(reader)).containsExactly("a");
    }
  }

  @Test
  void addedStreamCanHaveAStartOfItsOwn() {
    EventStream other = pulse().stream("other");
    EventId first = other.add("e", bytes("1"));
    other.add("e", bytes("2"));
    try (Reader reader = orders().reader(ReaderConformance::newest)) {
      reader.addStream(other, Start.after(first));

      assertThat(read(reader)).containsExactly("2");
    }
  }

  @Test
  void streamOfAnotherPulseIsRefused() {
    Pulse elsewhere = another();
    try (Reader reader = orders().reader(ReaderConformance::newest)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reader.addStream(elsewhere.stream("other")))
          .withMessageContaining("'other'");
    }
  }

  @Test
  void closedReaderSaysSo() {
    Reader reader = orders().reader(ReaderConformance::oldest);
    Subscription subscription = reader.subscribe(event -> {});
    orders().add("e", bytes("1"));
    reader.close();
    reader.close();

    assertThat(reader.isClosed()).isTrue();
    assertThat(subscription.isEnded()).isTrue();
    assertThat(orders().length()).isOne();
    assertThatIllegalStateException().isThrownBy(reader::read);
    assertThatIllegalStateException().isThrownBy(() -> reader.subscribe(event -> {}));
    assertThatIllegalStateException().isThrownBy(() -> reader.addStream(orders()));
  }

  @Test
  void everyReaderSeesEveryEventInOrder() {
    try (Reader one = orders().reader(ReaderConformance::oldest);
        Reader two = another().stream("orders").reader(ReaderConformance::oldest)) {
      List<String> all = IntStream.range(0, 200).mapToObj(i -> "" + i).toList();
      all.forEach(each -> orders().add("e", bytes(each)));

      assertThat(read(one)).isEqualTo(all);
      assertThat(read(two)).isEqualTo(all);
    }
  }

  @Test
  void batchIsNotLargerThanItsMaximum() {
    IntStream.range(0, 25).forEach(i -> orders().add("e", bytes("" + i)));

    try (Reader reader = orders().reader(o -> oldest(o).withBatchMax(10))) {
      assertThat(next(reader)).hasSize(10);
      assertThat(next(reader)).hasSize(10);
      assertThat(next(reader)).hasSize(5);
    }
  }

  @Test
  void namedReaderGoesOnBehindWhatItAcknowledged() {
    IntStream.range(0, 5).forEach(i -> orders().add("e", bytes("" + i)));
    try (Reader reader = orders().reader(ReaderConformance::audit)) {
      List<Event> events = next(reader);
      reader.ack(events.get(2));
      reader.ack(events.get(1));
    }

    try (Reader again = another().stream("orders").reader(ReaderConformance::audit)) {
      assertThat(read(again)).containsExactly("3", "4");
    }
    try (Reader other = orders().reader(o -> oldest(o).withName("other"))) {
      assertThat(read(other)).hasSize(5);
    }
  }

  private Reader auditFromTheNewest() {
    return orders().reader(o -> o.withName("audit").withBlock(SOON));
  }

  @Test
  void namedReaderMissesNothingBeforeItsFirstAcknowledgement() {
    orders().add("e", bytes("before it joined"));
    try (Reader reader = auditFromTheNewest()) {
      assertThat(reader.read()).isEmpty();
    }
    orders().add("e", bytes("while it was away"));

    try (Reader reader = auditFromTheNewest()) {
      assertThat(EventCollector.drain(reader).payloads()).containsExactly("while it was away");
    }
    try (Reader reader = orders().reader(ReaderConformance::audit)) {
      assertThat(EventCollector.drain(reader).payloads()).containsExactly("while it was away");
    }
  }

  @Test
  void namedReaderMissesNothingOfAStreamThatBeginsLater() {
    auditFromTheNewest().close();
    assertThat(orders().addIfExists("e", "", bytes("no stream yet"))).isEmpty();
    orders().add("e", bytes("the first"));

    try (Reader reader = auditFromTheNewest()) {
      assertThat(EventCollector.drain(reader).payloads()).containsExactly("the first");
    }
  }

  @Test
  void namedReaderHasAPlaceInEachOfItsStreams() {
    EventStream payments = pulse().stream("payments");
    IntStream.range(0, 3).forEach(i -> orders().add("e", bytes("order " + i)));
    IntStream.range(0, 3).forEach(i -> payments.add("e", bytes("payment " + i)));
    try (Reader reader = orders().reader(ReaderConformance::audit)) {
      reader.ack(next(reader).get(1));
    }
    try (Reader reader = payments.reader(ReaderConformance::audit)) {
      reader.ack(next(reader).getFirst());
    }

    Pulse elsewhere = another();
    try (Reader both = elsewhere.stream("orders").reader(ReaderConformance::audit)) {
      both.addStream(elsewhere.stream("payments"));
      assertThat(read(both)).containsExactlyInAnyOrder("order 2", "payment 1", "payment 2");
    }
  }

  @Test
  void readerWithoutANameCannotAcknowledge() {
    orders().add("e", bytes("1"));
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      Event event = next(reader).getFirst();
      assertThatIllegalStateException()
          .isThrownBy(() -> reader.ack(event))
          .withMessageContaining("withName");
    }
  }

  @Test
  void destroyForgetsNamedReaders() {
    orders().add("e", bytes("1"));
    try (Reader reader = orders().reader(ReaderConformance::audit)) {
      reader.ack(next(reader).getFirst());
    }
    orders().destroy();
    orders().add("e", bytes("2"));

    try (Reader reader = orders().reader(ReaderConformance::audit)) {
      assertThat(read(reader)).containsExactly("2");
    }
  }

  @Test
  void readerGoesOnWhenItsStreamIsDestroyedAndBeginsAnew() {
    orders().add("e", bytes("1"));
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      assertThat(read(reader)).containsExactly("1");
      orders().destroy();
      assertThat(reader.read()).isEmpty();
      orders().add("e", bytes("2"));
      assertThat(read(reader)).containsExactly("2");
    }
  }

  @Test
  void closeReturnsWithinASecondAlthoughASubscriberNeverReturns() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    Reader reader = orders().reader(o -> oldest(o).withBuffer(1));
    reader.subscribe(
        event -> {
          began.countDown();
          awaitStubbornly(never);
        });
    IntStream.range(0, 20).forEach(i -> orders().add("e", bytes("" + i)));
    began.await();

    within(Duration.ofSeconds(2), "close", () -> closed(reader));
    within(A_SECOND, "the second close", () -> closed(reader));
    never.countDown();
  }

  private static boolean closed(Reader reader) {
    reader.close();
    return reader.isClosed();
  }

  private static void awaitStubbornly(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException ignored) {
        // This is what the test is about.
      }
    }
  }

  @Test
  void closeEndsABlockedReadAtOnce() throws Exception {
    Reader reader = orders().reader(o -> o.withBlock(Duration.ofSeconds(30)));
    CountDownLatch done = new CountDownLatch(1);
    Thread blocked =
        Thread.ofVirtual()
            .start(
                () -> {
                  reader.read();
                  done.countDown();
                });
    eventually("the read waits", () -> isWaiting(blocked));

    within(A_SECOND, "close", () -> closed(reader));
    eventually("the read returns", () -> done.getCount() == 0);
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        || thread.getState() == Thread.State.WAITING;
  }

  @Test
  void readWithoutEventsIsEmptyAfterTheBlockTime() throws Exception {
    try (Reader reader = orders().reader(o -> o.withBlock(Duration.ofMillis(200)))) {
      List<Event> events = within(Duration.ofSeconds(2), "an empty read", reader::read);
      assertThat(events).isEmpty();
    }
  }

  @Test
  void blockedReadReturnsWhenAnEventComes() throws Exception {
    try (Reader reader = orders().reader(o -> o.withBlock(Duration.ofSeconds(20)))) {
      Thread adder =
          Thread.ofVirtual()
              .start(
                  () -> {
                    pause(SOON);
                    orders().add("e", bytes("1"));
                  });
      List<Event> events = within(Duration.ofSeconds(5), "the read", reader::read);
      assertThat(events).hasSize(1);
      adder.join();
    }
  }

  @Test
  void readerGetsOnlyItsTopic() {
    orders().add("e", "eu", bytes("1"));
    orders().add("e", "us", bytes("2"));
    orders().add("e", "eu/north", bytes("3"));
    orders().add("e", bytes("4"));

    try (Reader exact = orders().reader(o -> oldest(o).withTopic("eu"));
        Reader pattern = orders().reader(o -> oldest(o).withTopicPattern("^eu"));
        Reader found = orders().reader(o -> oldest(o).withTopicPattern("nor"))) {
      assertThat(read(exact)).containsExactly("1");
      assertThat(read(pattern)).containsExactly("1", "3");
      assertThat(read(found)).containsExactly("3");
    }
  }

  @Test
  void everySubscriptionGetsEveryEventInOrder() {
    EventCollector one = new EventCollector();
    EventCollector two = new EventCollector();
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      reader.subscribe(one);
      reader.subscribe(two);
      List<String> all = IntStream.range(0, 100).mapToObj(i -> "" + i).toList();
      all.forEach(each -> orders().add("e", bytes(each)));

      eventually("both get all", () -> one.size() == 100 && two.size() == 100);
      assertThat(one.payloads()).isEqualTo(all);
      assertThat(two.payloads()).isEqualTo(all);
      assertThatIllegalStateException().isThrownBy(reader::read);
    }
  }

  @Test
  void failingHandlerEndsItsSubscriptionAndNoOther() {
    EventCollector good = new EventCollector();
    RuntimeException failure = new RuntimeException("on purpose");
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      Subscription bad =
          reader.subscribe(
              event -> {
                throw failure;
              });
      reader.subscribe(good);
      orders().add("e", bytes("1"));
      eventually("the bad one ends", bad::isEnded);
      orders().add("e", bytes("2"));

      eventually("the good one goes on", () -> good.size() == 2);
      assertThat(bad.failure()).containsSame(failure);
    }
  }

  @Test
  void closedSubscriptionGetsNothingMore() {
    EventCollector events = new EventCollector();
    try (Reader reader = orders().reader(ReaderConformance::oldest)) {
      Subscription subscription = reader.subscribe(events);
      orders().add("e", bytes("1"));
      eventually("the first arrives", () -> events.size() == 1);
      subscription.close();
      orders().add("e", bytes("2"));
      pause(SOON);

      assertThat(events.payloads()).containsExactly("1");
      assertThat(subscription.isEnded()).isTrue();
      assertThat(subscription.failure()).isEmpty();
    }
  }

  @Test
  void slowSubscriberGetsEverything() {
    EventCollector events = new EventCollector();
    IntStream.range(0, 60).forEach(i -> orders().add("e", bytes("" + i)));
    try (Reader reader = orders().reader(o -> oldest(o).withBuffer(2).withBatchMax(7))) {
      reader.subscribe(
          event -> {
            pause(Duration.ofMillis(2));
            events.accept(event);
          });
      eventually("all arrive", () -> events.size() == 60);
      assertThat(events.payloads())
          .isEqualTo(IntStream.range(0, 60).mapToObj(i -> "" + i).toList());
    }
  }
}
