package dev.tidemark.changes;

import static dev.tidemark.testkit.Eventually.eventually;
import static dev.tidemark.testkit.Eventually.pause;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a reader holds, how long it waits, and what it does when others stand in its way. */
class ReaderPatienceTest {
  private final ScriptedSource source = new ScriptedSource(2, 4);
  private final MetadataStore store = MetadataStore.inMemory(TimeSource.system());
  private final List<DataChange> seen = new CopyOnWriteArrayList<>();

  private ChangeReader reader(ReaderOptions options) {
    return ChangeReader.of(source, store, options);
  }

  private static ReaderOptions options() {
    return ChangeReaderTest.options();
  }

  private ReaderOptions bounded() {
    return options().withEnd(source.timeOf(source.now()));
  }

  private static EndReason end(ChangeReader reader) throws InterruptedException {
    return reader.await(Duration.ofSeconds(20)).orElseThrow();
  }

  private static Throwable failure(ChangeReader reader) throws InterruptedException {
    EndReason end = end(reader);
    assertThat(end).isInstanceOf(EndReason.Failed.class);
    return ((EndReason.Failed) end).cause();
  }

  // ---- pull

  @Test
  void pulledChangeIsNotLostToAnInterruptDuringAPause() throws Exception {
    source.commit(0);
    try (ChangeReader reader = reader(options())) {
      ChangeIterator changes = reader.iterate();
      eventually("it is read", () -> reader.statistics().inFlight() == 1);
      reader.pause();
      CountDownLatch interrupted = new CountDownLatch(1);
      Thread taker =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      changes.next(Duration.ofSeconds(20));
                    } catch (InterruptedException expected) {
                      interrupted.countDown();
                    }
                  });
      eventually("it waits", () -> taker.getState() != Thread.State.RUNNABLE);
      taker.interrupt();
      interrupted.await();
      reader.resume();
      assertThat(changes.next(Duration.ofSeconds(20))).isPresent();
    }
  }

  @Test
  void pullDuringAPauseWaitsNoLongerThanItShould() throws Exception {
    source.commit(0);
    try (ChangeReader reader = reader(options())) {
      ChangeIterator changes = reader.iterate();
      eventually("it is read", () -> reader.statistics().inFlight() == 1);
      reader.pause();
      assertThat(changes.next(Duration.ofMillis(20))).isEmpty();
      reader.resume();
      assertThat(changes.next(Duration.ofSeconds(20))).isPresent();
    }
  }

  @Test
  void pullEndsWithTheReader() throws Exception {
    ChangeReader reader = reader(options());
    try (reader) {
      ChangeIterator changes = reader.iterate();
      Thread taker =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      assertThat(changes.next(Duration.ofDays(1))).isEmpty();
                    } catch (InterruptedException unexpected) {
                      throw new AssertionError(unexpected);
                    }
                  });
      eventually("it waits", () -> taker.getState() == Thread.State.TIMED_WAITING);
      reader.close();
      assertThat(taker.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  // ---- calls

  @Test
  void handlerIsNotCalledAfterAStopThatDidNotWaitForIt() throws Exception {
    source.commit(0);
    CountDownLatch aboutToCall = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    TimeSource slow =
        new TimeSource() {
          @Override
          public long wallMicros() {
            return TimeSource.system().wallMicros();
          }

          @Override
          public long nanos() {
            if (Thread.currentThread().getName().equals("changes-handler")) {
              aboutToCall.countDown();
              awaitUndisturbed(goOn);
            }
            return TimeSource.system().nanos();
          }

          @Override
          public void sleep(Duration length) throws InterruptedException {
            TimeSource.system().sleep(length);
          }
        };
    try (ChangeReader reader = reader(options().withTime(slow))) {
      reader.start(delivery -> seen.add(delivery.change()));
      aboutToCall.await();
      assertThat(reader.stop(Duration.ofSeconds(20))).isEqualTo(new EndReason.Stopped(true));
      goOn.countDown();
    }
    assertThat(seen).isEmpty();
  }

  private static void awaitUndisturbed(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException closing) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- bounds

  @ParameterizedTest
  @EnumSource(
      value = OrderMode.class,
      names = {"COMMIT_TIMESTAMP", "TRANSACTION"})
  void slowHandlerBoundsWhatAnOrderOverAllPartitionsReads(OrderMode mode) throws Exception {
    ScriptedSource single = new ScriptedSource(1, 1);
    for (int i = 0; i < 1_000; i++) {
      single.commit(0);
    }
    CountDownLatch goOn = new CountDownLatch(1);
    ReaderOptions options = options().withOrder(mode).withInFlightPerPartition(10).withBatchSize(1);
    try (ChangeReader reader =
        ChangeReader.of(single, store, options.withEnd(single.timeOf(single.now())))) {
      reader.start(
          delivery -> {
            goOn.await();
            seen.add(delivery.change());
          });
      eventually("the partition is full", () -> reader.statistics().inFlight() >= 10);
      pause(Duration.ofMillis(200));
      assertThat(reader.statistics().records()).isLessThan(200);
      goOn.countDown();
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(seen).hasSize(1_000).isSortedAccordingTo(ScriptedSource.commitOrder());
  }

  @Test
  void transactionThatIsLargerThanAllLimitsArrivesWhole() throws Exception {
    ScriptedSource wide = new ScriptedSource(2, 60);
    Integer[] all = new Integer[60];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    for (int i = 0; i < 20; i++) {
      wide.commit(i);
      wide.commit(all);
    }
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    try (ChangeReader reader =
        ChangeReader.of(
            wide,
            store,
            options()
                .withEnd(wide.timeOf(wide.now()))
                .withOrder(OrderMode.TRANSACTION)
                .withInFlightPerPartition(5)
                .withBytesInFlight(700))) {
      reader.startBatches(batch -> sizes.add(batch.changes().size()));
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(sizes).hasSize(40).containsOnly(1, 60);
  }

  @Test
  void changeThatIsNeverAcknowledgedBoundsWhatIsRememberedBehindIt() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      source.commit(0);
    }
    List<Delivery> held = new CopyOnWriteArrayList<>();
    try (ChangeReader reader = reader(options().withManualAck().withInFlightPerPartition(4))) {
      reader.start(
          delivery -> {
            seen.add(delivery.change());
            if (held.isEmpty()) {
              held.add(delivery);
            } else {
              delivery.ack();
            }
          });
      eventually("a hundred times as many", () -> seen.size() >= 400);
      pause(Duration.ofMillis(100));
      assertThat(seen).hasSizeLessThan(500);
      held.getFirst().ack();
      eventually("the rest", () -> seen.size() == 2_000);
    }
  }

  // ---- several processes

  @Test
  void partitionsThatAnotherProcessHasNoPlaceForAreRead() throws Exception {
    ScriptedSource wide = new ScriptedSource(8, 8);
    ReaderOptions options = options();
    try (ChangeReader small = ChangeReader.of(wide, store, options.withPartitions(1));
        ChangeReader large = ChangeReader.of(wide, store, options)) {
      small.start(delivery -> seen.add(delivery.change()));
      eventually("it reads one", () -> small.statistics().reading() == 1);
      large.start(delivery -> seen.add(delivery.change()));
      for (int key = 0; key < 8; key++) {
        wide.commit(key);
      }
      eventually("all arrive", () -> seen.stream().map(DataChange::id).distinct().count() == 8);
      eventually("it has the rest", () -> large.statistics().reading() == 7);
      assertThat(small.statistics().reading()).isEqualTo(1);
      int queries = wide.queries().size();
      pause(Duration.ofMillis(300));
      assertThat(wide.queries()).as("they stay where they are").hasSize(queries);
    }
  }

  @Test
  void partitionIsGivenToAnotherProcessThoughAChangeIsNeverAcknowledged() throws Exception {
    source.commit(0);
    source.commit(1);
    List<Delivery> held = new CopyOnWriteArrayList<>();
    ReaderOptions options =
        options()
            .withManualAck()
            .withAckTimeout(Duration.ofMillis(50), ReaderOptions.OnAckTimeout.WARN);
    try (ChangeReader first = reader(options);
        ChangeReader second = reader(options)) {
      first.start(held::add);
      eventually("it has both", () -> held.size() == 2);
      second.start(
          delivery -> {
            seen.add(delivery.change());
            delivery.ack();
          });
      eventually("the other one goes on with one of them", () -> seen.size() == 1);
    }
  }

  @Test
  void bothOfTwoReadersCompleteThoughOneRemovesTheRun() throws Exception {
    for (int i = 0; i < 20; i++) {
      source.commit(0, 1);
    }
    ReaderOptions options = bounded().withDeleteWhenComplete();
    try (ChangeReader first = reader(options);
        ChangeReader second = reader(options.withDetectionInterval(Duration.ofMillis(500)))) {
      CountDownLatch goOn = new CountDownLatch(1);
      first.start(
          delivery -> {
            goOn.await();
            seen.add(delivery.change());
          });
      second.start(delivery -> seen.add(delivery.change()));
      goOn.countDown();
      assertThat(end(first)).isInstanceOf(EndReason.Completed.class);
      assertThat(end(second)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(store.<Optional<RunRow>>read("run", MetadataStore.Rows::run)).isEmpty();
    assertThat(store.<Boolean>read("run", rows -> rows.members().isEmpty())).isTrue();
  }

  @Test
  void readerWhoseRunIsDeletedFailsAndNamesIt() throws Exception {
    source.commit(0);
    try (ChangeReader reader = reader(options())) {
      reader.start(delivery -> seen.add(delivery.change()));
      eventually("it reads", () -> seen.size() == 1);
      store.delete("run");
      assertThat(failure(reader))
          .isInstanceOf(ChangeReaderException.class)
          .hasMessage("The run run was deleted while it was read");
    }
  }

  // ---- gaps

  @Test
  void partitionsBehindAGapAreFoundThoughTheirQueryBreaksOff() throws Exception {
    source.commit(0);
    try (ChangeReader reader = reader(options())) {
      reader.start(delivery -> seen.add(delivery.change()));
      eventually("the first arrives", () -> seen.size() == 1);
      reader.stop(Duration.ofSeconds(20));
    }
    for (int i = 0; i < 10; i++) {
      source.commit(0, 1);
    }
    source.expire(8);
    seen.clear();
    ConcurrentHashMap<String, AtomicInteger> breaks = new ConcurrentHashMap<>();
    source.setFaults(
        token ->
            token.equals(ChangeSource.ROOT)
                && breaks.computeIfAbsent(token, any -> new AtomicInteger()).incrementAndGet()
                    <= 8);
    try (ChangeReader reader = reader(options().withOnGap(ReaderOptions.OnGap.SKIP))) {
      reader.start(delivery -> seen.add(delivery.change()));
      eventually("what is left arrives", () -> seen.size() == 10);
      assertThat(reader.gaps()).hasSize(2);
      assertThat(reader.endReason()).isEmpty();
    }
  }
}
