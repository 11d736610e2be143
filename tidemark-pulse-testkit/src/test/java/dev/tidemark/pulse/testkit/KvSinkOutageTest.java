package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sinks whose way to Tidemark's own store is cut for a while. */
class KvSinkOutageTest extends PulseConformance {
  private static final Duration GRACE = Duration.ofMillis(500);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  private static SinkOptions oldest(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(Duration.ofMillis(100)).withAckGrace(GRACE);
  }

  @Test
  void subscriptionResumesByItselfAndLosesNothing() {
    EventStream orders = pulse().stream("orders");
    Set<String> done = ConcurrentHashMap.newKeySet();
    AtomicBoolean handed = new AtomicBoolean();
    AtomicBoolean cutOff = new AtomicBoolean();
    try (PoolConformance.CutPulse cut = CutDatabase.pulse(databases.database());
        Sink sink = cut.pulse().stream("orders").sink("billing", KvSinkOutageTest::oldest);
        Subscription handling =
            sink.subscribe(
                event -> {
                  handed.set(true);
                  eventually("the way is cut", cutOff::get);
                  done.add(text(event.payload()));
                })) {
      orders.add("e", bytes("handled while the store is away"));
      eventually("it is handed over", handed::get);
      cut.cut().run();
      cutOff.set(true);
      orders.add("e", bytes("added while the store is away"));
      pause(GRACE.multipliedBy(2));
      assertThat(done).doesNotContain("added while the store is away");

      cut.restore().run();

      eventually("the other one comes", () -> done.contains("added while the store is away"));
      eventually("nothing stays pending", () -> isAllAcknowledged(orders));
      assertThat(handling).isNotNull();
    }
  }

  @Test
  void closeOfASinkOverManyStreamsDoesNotWaitForTheEndOfAnOutage() throws Exception {
    int streams = 8;
    CountDownLatch began = new CountDownLatch(1);
    try (PoolConformance.CutPulse cut = CutDatabase.pulse(databases.database())) {
      Sink sink = cut.pulse().stream("orders-0").sink("billing", KvSinkOutageTest::oldest);
      for (int i = 0; i < streams; i++) {
        sink.addStream(cut.pulse().stream("orders-" + i));
        pulse().stream("orders-" + i).add("e", bytes("handled"));
        pulse().stream("orders-" + i).add("e", bytes("waits"));
      }
      sink.subscribe(
          event -> {
            began.countDown();
            awaitInterrupt();
          });
      began.await();
      pause(GRACE);
      cut.cut().run();

      within(
          Duration.ofSeconds(6),
          "close",
          () -> {
            sink.close();
            return sink.isClosed();
          });
      cut.restore().run();
    }
  }

  @Test
  void whoIsInterruptedAndClosesASinkStillGivesBackWhatWaited() throws InterruptedException {
    EventStream orders = pulse().stream("orders");
    IntStream.range(0, 5).forEach(i -> orders.add("e", bytes("" + i)));
    CountDownLatch began = new CountDownLatch(1);
    // Unlike the embedded store, this one refuses to work for a thread that is interrupted.
    try (Pulse pulse = Pulse.on(new SilentDatabase(databases.database()))) {
      Sink sink = pulse.stream("orders").sink("billing", KvSinkOutageTest::withinAnHour);
      sink.subscribe(
          event -> {
            began.countDown();
            awaitInterrupt();
          });
      began.await();
      Thread.currentThread().interrupt();
      sink.close();
      assertThat(Thread.interrupted()).isTrue();
    }

    try (Sink other = orders.sink("billing", KvSinkOutageTest::withinAnHour)) {
      assertThat(other.read())
          .hasSize(4)
          .allSatisfy(event -> assertThat(event.deliveries()).isOne());
    }
  }

  private static SinkOptions withinAnHour(SinkOptions options) {
    return oldest(options).withAckGrace(Duration.ofHours(1)).withBlock(PATIENCE);
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException close) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether another instance gets nothing, however long it waits. */
  private boolean isAllAcknowledged(EventStream orders) {
    try (Sink other = orders.sink("billing", KvSinkOutageTest::oldest)) {
      pause(GRACE.plusMillis(100));
      List<Event> left = other.read();
      other.ackAll(left);
      return left.isEmpty();
    }
  }
}
