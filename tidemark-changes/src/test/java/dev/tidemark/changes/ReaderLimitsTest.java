package dev.tidemark.changes;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import dev.tidemark.testkit.ManualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What bounds a reader, what it asks of its source, and what it tells of itself. */
class ReaderLimitsTest {
  private final ScriptedSource source = new ScriptedSource(2, 4);
  private final MetadataStore store = MetadataStore.inMemory(TimeSource.system());
  private final List<Delivery> seen = new CopyOnWriteArrayList<>();

  private ChangeReader reader(ReaderOptions options) {
    return ChangeReader.of(source, store, options);
  }

  private static ReaderOptions options() {
    return ChangeReaderTest.options();
  }

  private static Throwable failure(ChangeReader reader) throws InterruptedException {
    EndReason end = reader.await(Duration.ofSeconds(30)).orElseThrow();
    assertThat(end).isInstanceOf(EndReason.Failed.class);
    return ((EndReason.Failed) end).cause();
  }

  // ---- rate

  @Test
  void noMoreChangesThanTheRateAllowsComeWhileTheClockStands() throws Exception {
    for (int i = 0; i < 50; i++) {
      source.commit(0, 1);
    }
    ManualTime time = ManualTime.standing();
    try (ChangeReader reader =
        reader(
            options()
                .withTime(time)
                .withRecordsPerSecond(50)
                .withHeartbeat(Duration.ofMinutes(5)))) {
      reader.start(seen::add);
      // A tenth of a second's worth at once, and nothing before the clock moves.
      eventually("the burst", () -> seen.size() == 5);
      assertThat(reader.statistics().records()).isEqualTo(5);
      eventually(
          "the rest as time goes on",
          () -> {
            time.advance(Duration.ofMillis(20));
            return seen.size() == 100;
          });
    }
  }

  @Test
  void rateThatIsNotPositiveIsRefused() {
    assertThatThrownBy(() -> options().withRecordsPerSecond(0))
        .isInstanceOf(UsageException.class)
        .hasMessage("recordsPerSecond is 0.0; it must be positive");
  }

  // ---- acknowledgements that do not come

  @Test
  void changeThatIsNotAcknowledgedInTimeIsCountedOnceAndStays() throws Exception {
    source.commit(0);
    try (ChangeReader reader =
        reader(
            options()
                .withManualAck()
                .withAckTimeout(Duration.ofMillis(20), ReaderOptions.OnAckTimeout.WARN))) {
      reader.start(seen::add);
      eventually("it is overdue", () -> reader.statistics().overdue() == 1);
      long heartbeats = reader.statistics().heartbeats();
      eventually(
          "more rounds",
          () -> {
            source.tick();
            return reader.statistics().heartbeats() > heartbeats + 3;
          });
      assertThat(reader.statistics().overdue()).isEqualTo(1);
      assertThat(reader.statistics().redeliveries()).isZero();
      assertThat(seen).hasSize(1);
      assertThat(reader.endReason()).isEmpty();
      seen.getFirst().ack();
      eventually("it is acknowledged", () -> reader.statistics().inFlight() == 0);
    }
  }

  @Test
  void changeThatIsNotAcknowledgedInTimeEndsTheReaderIfThePolicySaysSo() throws Exception {
    source.commit(0);
    try (ChangeReader reader =
        reader(
            options()
                .withManualAck()
                .withAckTimeout(Duration.ofMillis(20), ReaderOptions.OnAckTimeout.FAIL))) {
      reader.start(seen::add);
      assertThat(failure(reader))
          .isInstanceOf(ChangeReaderException.class)
          .hasMessage("A change of partition p0 was not acknowledged within PT0.02S");
    }
  }

  // ---- retention

  @Test
  void activeReaderAsksTheSourceToKeepWhatIsNotAcknowledged() throws Exception {
    source.commit(0);
    source.commit(0);
    ManualTime time = ManualTime.standing();
    try (ChangeReader reader =
        reader(options().withManualAck().withTime(time).withHeartbeat(Duration.ofMinutes(5)))) {
      reader.start(seen::add);
      eventually("both come", () -> seen.size() == 2);
      seen.getFirst().ack();
      Position unacked = seen.getLast().change().position();
      eventually(
          "it asks from the first unacknowledged change on, for longer than until it asks again",
          () -> {
            time.advance(Duration.ofSeconds(61));
            return source
                .kept()
                .filter(kept -> source.compare(kept.position(), unacked) <= 0)
                .filter(kept -> source.compare(kept.position(), ScriptedSource.position(2)) >= 0)
                .filter(kept -> kept.reader().equals("run"))
                .filter(kept -> kept.time().compareTo(Duration.ofMinutes(2)) > 0)
                .isPresent();
          });
      seen.getLast().ack();
      source.tick();
      eventually(
          "the pin moves on",
          () -> {
            time.advance(Duration.ofSeconds(61));
            return source.compare(source.kept().orElseThrow().position(), unacked) > 0;
          });
    }
  }

  @Test
  void sourceThatTakesLongToKeepChangesHoldsNothingUp() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    source.setKeepGate(goOn);
    ManualTime time = ManualTime.standing();
    try (ChangeReader reader =
        reader(options().withTime(time).withHeartbeat(Duration.ofMinutes(5)))) {
      reader.start(seen::add);
      for (int i = 1; i <= 3; i++) {
        source.commit(0);
        Position committed = source.now();
        eventually(
            "the position of the next change is stored",
            () -> {
              time.advance(Duration.ofSeconds(61));
              return Lineage.of(store, "run")
                  .find("p0")
                  .filter(row -> source.compare(row.resume().position(), committed) >= 0)
                  .isPresent();
            });
      }
      assertThat(source.kept()).isEmpty();
      goOn.countDown();
      eventually("the source has kept them", () -> source.kept().isPresent());
    }
  }

  // ---- meters

  @Test
  void metersTellWhatTheStatisticsTell() throws Exception {
    source.commit(0);
    source.commit(1);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (ChangeReader reader = reader(options().withManualAck())) {
      new ChangeMetrics(reader, "audit").bindTo(registry);
      reader.start(seen::add);
      eventually("both come", () -> seen.size() == 2);
      assertThat(counter(registry, "records")).isEqualTo(2);
      assertThat(counter(registry, "queries")).isGreaterThanOrEqualTo(3);
      assertThat(counter(registry, "child.records")).isPositive();
      assertThat(gauge(registry, "in.flight")).isEqualTo(2);
      assertThat(gauge(registry, "in.flight.size")).isEqualTo(200);
      assertThat(gauge(registry, "reading")).isEqualTo(2);
      seen.forEach(Delivery::ack);
      double now = source.timeOf(source.now()).getEpochSecond();
      eventually("the watermark", () -> gauge(registry, "watermark.ack") == now);
      assertThat(gauge(registry, "watermark.read")).isEqualTo(now);
      assertThat(gauge(registry, "in.flight")).isZero();
      assertThat(gauge(registry, "lag")).isPositive();
      eventually(
          "partitions by state",
          () ->
              registry
                      .get("tidemark.changes.partitions")
                      .tags("run", "audit", "state", "running")
                      .gauge()
                      .value()
                  == 2);
    }
  }

  private static double counter(SimpleMeterRegistry registry, String name) {
    return registry.get("tidemark.changes." + name).tag("run", "audit").functionCounter().count();
  }

  private static double gauge(SimpleMeterRegistry registry, String name) {
    return registry.get("tidemark.changes." + name).tag("run", "audit").gauge().value();
  }

  // ---- lineage and watermarks

  @Test
  void childrenWaitForTheAcknowledgementsOfTheirParentAndHoldTheWatermark() throws Exception {
    source.commit(0, 2);
    List<String> children = source.split("p0");
    Position splitAt = source.now();
    source.commit(0, 2);
    try (ChangeReader reader = reader(options().withManualAck())) {
      reader.start(seen::add);
      eventually("the parent's changes", () -> seen.size() == 2);
      eventually(
          "the children are known",
          () -> Lineage.of(store, "run").find(children.getFirst()).isPresent());
      source.tick();
      eventually(
          "the other partition goes on",
          () -> source.queries().stream().anyMatch(query -> query.token().equals("p1")));
      assertThat(source.queries()).noneMatch(query -> children.contains(query.token()));
      assertThat(reader.statistics().ackWatermark().orElseThrow())
          .isBeforeOrEqualTo(source.timeOf(splitAt));
      List.copyOf(seen).forEach(Delivery::ack);
      eventually("the children's changes", () -> seen.size() == 4);
    }
    assertThat(source.queries().stream().filter(query -> children.contains(query.token())))
        .allMatch(query -> query.from().equals(splitAt));
  }

  @Test
  void watermarkOfACompletedRunIsItsEnd() throws Exception {
    source.commit(0, 1);
    source.tick();
    try (ChangeReader reader = reader(options().withEnd(source.timeOf(source.now())))) {
      reader.start(seen::add);
      assertThat(reader.await(Duration.ofSeconds(30)).orElseThrow())
          .isInstanceOf(EndReason.Completed.class);
      assertThat(reader.statistics().ackWatermark()).contains(source.timeOf(source.now()));
    }
  }

  @Test
  void whatTheStoreDidByItselfIsLeftOutAndStillAcknowledged() throws Exception {
    source.commit(0);
    source.setBySystem(true);
    source.commit(0);
    source.setBySystem(false);
    source.commit(0);
    Position last = source.now();
    try (ChangeReader reader =
        reader(options().withoutSystemTransactions().withEnd(source.timeOf(last)))) {
      reader.start(seen::add);
      assertThat(reader.await(Duration.ofSeconds(30))).contains(new EndReason.Completed());
    }
    assertThat(seen).hasSize(2).noneMatch(delivery -> delivery.change().systemTransaction());
  }

  @Test
  void childThatBeginsAtTheEndIsReadAndFinished() throws Exception {
    source.commit(0, 1);
    List<String> children = source.split("p0");
    try (ChangeReader reader = reader(options().withEnd(source.timeOf(source.now())))) {
      reader.start(seen::add);
      assertThat(reader.await(Duration.ofSeconds(30))).contains(new EndReason.Completed());
      assertThat(reader.lineage().partitions())
          .extracting(PartitionRow::token)
          .containsAll(children);
    }
    assertThat(source.queries())
        .filteredOn(query -> children.contains(query.token()))
        .hasSize(2)
        .allMatch(query -> query.until().equals(Optional.of(query.from())));
  }

  @Test
  void runWhoseLastChangeIsOlderThanItsEndCompletesWithoutALoop() throws Exception {
    source.commit(0);
    source.tick();
    source.tick();
    try (ChangeReader reader = reader(options().withEnd(source.timeOf(source.now())))) {
      reader.start(seen::add);
      assertThat(reader.await(Duration.ofSeconds(30))).contains(new EndReason.Completed());
    }
    assertThat(source.queries()).hasSizeLessThanOrEqualTo(2 * 3);
  }

  @Test
  void defaultsAreThoseOfTheGuide() {
    ReaderOptions defaults = ReaderOptions.forRun("run");
    assertThat(defaults.start()).isEqualTo(StartAt.now());
    assertThat(defaults.end()).isEmpty();
    assertThat(defaults.order()).isEqualTo(OrderMode.PARTITION);
    assertThat(defaults.autoAck()).isTrue();
    assertThat(defaults.systemTransactions()).isTrue();
    assertThat(defaults.batchSize()).isEqualTo(1_000);
    assertThat(defaults.inFlightPerPartition()).isEqualTo(1_000);
    assertThat(defaults.bytesInFlight()).isEqualTo(64L << 20);
    assertThat(defaults.partitions()).isEqualTo(10_000);
    assertThat(defaults.recordsPerSecond()).isEmpty();
    assertThat(defaults.detectionInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(defaults.flushInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(defaults.heartbeat()).isEqualTo(Duration.ofSeconds(2));
    assertThat(defaults.missedHeartbeats()).isEqualTo(10);
    assertThat(defaults.softTimeout()).isEqualTo(Duration.ofMinutes(10));
    assertThat(defaults.ackTimeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(defaults.onAckTimeout()).isEqualTo(ReaderOptions.OnAckTimeout.WARN);
    assertThat(defaults.onGap()).isEqualTo(ReaderOptions.OnGap.FAIL);
    assertThat(defaults.retry()).isEqualTo(RetryOptions.defaults());
    assertThat(defaults.lease()).isEqualTo(Duration.ofSeconds(10));
    assertThat(defaults.finishedRetention()).isEqualTo(Duration.ofDays(1));
    assertThat(defaults.deleteWhenComplete()).isFalse();
  }

  @Test
  void pausesBetweenCallsDoubleUpToALimit() {
    RetryOptions retry = RetryOptions.defaults();
    assertThat(IntStream.rangeClosed(1, 10).mapToObj(i -> retry.pause(i, 0).toMillis()))
        .containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 12_800L, 25_600L, 30_000L);
    assertThat(retry.pause(1, 1)).isLessThan(Duration.ofMillis(100)).isPositive();
    assertThat(retry.retries()).isEqualTo(5);
    assertThat(retry.kinds())
        .containsExactlyInAnyOrder(Kind.UNAVAILABLE, Kind.ABORTED, Kind.DEADLINE_EXCEEDED);
  }

  @Test
  void queryIsAskedAnewAfterTheSoftTimeoutAndNothingIsLostOrRetried() throws Exception {
    source.commit(0);
    try (ChangeReader reader = reader(options().withSoftTimeout(Duration.ofMillis(20)))) {
      reader.start(seen::add);
      eventually(
          "an idle partition is asked for anew",
          () -> source.queries().stream().filter(query -> query.token().equals("p1")).count() > 2);
      source.commit(0);
      eventually("both come", () -> seen.size() == 2);
      assertThat(reader.statistics().retries()).isZero();
      assertThat(reader.statistics().silences()).isZero();
    }
  }

  // ---- what is refused

  @Test
  void changeInTheQueryOfTheRootEndsTheReader() throws Exception {
    source.commit(0);
    source.setRootLies();
    try (ChangeReader reader = reader(options())) {
      reader.start(seen::add);
      assertThat(failure(reader)).hasMessageContaining("The query of the root returned a change");
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void runOfAnotherStreamIsRefusedByBothNames() throws Exception {
    try (ChangeReader reader = reader(options())) {
      reader.start(seen::add);
      reader.stop(Duration.ofSeconds(30));
    }
    store.update(
        "run",
        rows -> {
          RunRow row = rows.run().orElseThrow();
          rows.putRun(
              new RunRow(
                  row.generation(), "elsewhere", row.start(), false, row.end(), row.createdAt()));
          return true;
        });
    try (ChangeReader reader = reader(options())) {
      assertThatThrownBy(() -> reader.start(seen::add))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "The run was started on elsewhere and cannot go on with scripted; give this reader"
                  + " another run name");
    }
  }

  @Test
  void startBeforeTheEarliestChangeIsAGapAndNothingIsSkippedSilently() throws Exception {
    source.commit(0);
    source.commit(0);
    source.expire(3);
    try (ChangeReader reader =
        reader(options().withStart(StartAt.position(ScriptedSource.position(1))))) {
      reader.start(seen::add);
      assertThat(failure(reader))
          .isInstanceOf(ChangeReaderException.class)
          .hasMessageContaining("were removed before they were read");
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void heartbeatOutsideOfItsBoundsIsRefusedBeforeAnyCall() {
    assertThat(options().withHeartbeat(Duration.ofMillis(100)).heartbeat().toMillis())
        .isEqualTo(100);
    assertThat(options().withHeartbeat(Duration.ofMinutes(5)).heartbeat().toMinutes()).isEqualTo(5);
    assertThatThrownBy(() -> options().withHeartbeat(Duration.ofMillis(99)))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> options().withHeartbeat(Duration.ofMillis(300_001)))
        .isInstanceOf(UsageException.class);
  }

  // ---- ends

  @Test
  void readerThatIsClosedBeforeItsStartSaysSo() throws Exception {
    ChangeReader reader = reader(options());
    reader.close();
    assertThatThrownBy(() -> reader.start(seen::add))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The reader is closed; create another one");
  }

  @Test
  void exceptionOfAHandlerDuringAStopIsTheReason() throws Exception {
    source.commit(0);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (ChangeReader reader = reader(options())) {
      reader.start(
          delivery -> {
            begun.countDown();
            goOn.await();
            throw new IllegalStateException("late");
          });
      begun.await();
      Thread caller = Thread.currentThread();
      Thread release =
          Thread.ofVirtual()
              .start(
                  () -> {
                    eventually("stop waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
                    goOn.countDown();
                  });
      assertThat(reader.stop(Duration.ofSeconds(30)))
          .isInstanceOfSatisfying(
              EndReason.Failed.class, failed -> assertThat(failed.cause()).hasMessage("late"));
      release.join();
    }
  }
}
