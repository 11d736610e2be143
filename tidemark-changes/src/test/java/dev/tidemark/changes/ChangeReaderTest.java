package dev.tidemark.changes;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.internal.engine.FaultyMetadata;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader with its threads, on the scripted source. */
class ChangeReaderTest {
  private static final int KEYS = 8;

  private final ScriptedSource source = new ScriptedSource(2, KEYS);
  private final MetadataStore store = MetadataStore.inMemory(TimeSource.system());
  private final List<DataChange> seen = new CopyOnWriteArrayList<>();

  static ReaderOptions options() {
    return ReaderOptions.forRun("run")
        .withStart(StartAt.beginning())
        .withDetectionInterval(Duration.ofMillis(5))
        .withFlushInterval(Duration.ofMillis(5))
        .withRetry(
            RetryOptions.defaults().withPauses(Duration.ofMillis(1), 2, Duration.ofMillis(10)));
  }

  private ReaderOptions bounded() {
    return options().withEnd(source.timeOf(source.now()));
  }

  private ChangeReader reader(ReaderOptions options) {
    return ChangeReader.of(source, store, options);
  }

  private void write(int commits) {
    for (int i = 0; i < commits; i++) {
      source.commit(i % KEYS, (i * 3 + 1) % KEYS == i % KEYS ? (i + 1) % KEYS : (i * 3 + 1) % KEYS);
    }
  }

  /** History with splits, merges and moves between commits. */
  private void writeHistory() {
    write(20);
    List<String> halves = source.split(source.alive().getFirst());
    write(20);
    source.merge(halves.get(0), source.alive().getLast());
    write(20);
    source.move(source.alive().getFirst());
    write(20);
  }

  private static EndReason end(ChangeReader reader) throws InterruptedException {
    return reader.await(Duration.ofSeconds(20)).orElseThrow();
  }

  private void assertComplete() {
    assertThat(seen.stream().map(DataChange::id))
        .containsExactlyInAnyOrderElementsOf(
            source.committed().stream().map(DataChange::id).toList());
  }

  private void assertOrderedByKey() {
    Map<Object, Long> latest = new HashMap<>();
    for (DataChange change : List.copyOf(seen)) {
      Object key = change.mods().getFirst().keys().get("id").orElseThrow();
      long version = (long) change.mods().getFirst().newValues().get("version").orElseThrow();
      assertThat(version).isGreaterThan(latest.getOrDefault(key, 0L));
      latest.put(key, version);
    }
  }

  @ParameterizedTest
  @EnumSource(OrderMode.class)
  void historyWithSplitsMergesAndMovesArrivesOnceInEveryMode(OrderMode mode) throws Exception {
    writeHistory();
    try (ChangeReader reader = reader(bounded().withOrder(mode))) {
      reader.start(delivery -> seen.add(delivery.change()));

      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertComplete();
    if (mode != OrderMode.UNORDERED) {
      assertOrderedByKey();
    }
    if (mode.isGlobal()) {
      assertThat(seen).isSortedAccordingTo(ScriptedSource.commitOrder());
    }
    assertThat(source.open()).as("open queries").isZero();
  }

  @Test
  void transactionComesAsOneBatchBySequence() throws Exception {
    writeHistory();
    List<ChangeBatch> batches = new CopyOnWriteArrayList<>();
    try (ChangeReader reader = reader(bounded().withOrder(OrderMode.TRANSACTION))) {
      reader.startBatches(batches::add);
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(batches).hasSize(80);
    for (ChangeBatch batch : batches) {
      assertThat(batch.changes()).hasSize(2).isSortedAccordingTo(ScriptedSource.commitOrder());
      assertThat(batch.changes().stream().map(DataChange::serverTransactionId).distinct())
          .hasSize(1);
    }
  }

  @Test
  void iteratorGivesEveryChangeAndEndsWithTheRun() throws Exception {
    writeHistory();
    try (ChangeReader reader = reader(bounded())) {
      ChangeIterator changes = reader.iterate();
      while (changes.hasNext()) {
        seen.add(changes.next().change());
      }
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertComplete();
    assertOrderedByKey();
  }

  @Test
  void completedRunStartedAgainReturnsCompleteWithoutAQuery() throws Exception {
    write(5);
    ReaderOptions options = bounded();
    try (ChangeReader reader = reader(options)) {
      reader.start(delivery -> seen.add(delivery.change()));
      end(reader);
    }
    int queries = source.queries().size();
    try (ChangeReader again = reader(options)) {
      again.start(delivery -> seen.add(delivery.change()));
      assertThat(end(again)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(source.queries()).hasSize(queries);
    assertComplete();
  }

  @Test
  void completedRunWithALaterEndReadsOnlyTheNewRange() throws Exception {
    write(5);
    try (ChangeReader reader = reader(bounded())) {
      reader.start(delivery -> seen.add(delivery.change()));
      end(reader);
    }
    write(5);
    try (ChangeReader later = reader(bounded())) {
      later.start(delivery -> seen.add(delivery.change()));
      assertThat(end(later)).isInstanceOf(EndReason.Completed.class);
    }
    assertComplete();
  }

  @Test
  void stopWaitsForHandlersStoresTheirPositionsAndHandsOutNothingMore() throws Exception {
    write(6);
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    try (ChangeReader reader = reader(options())) {
      reader.start(
          delivery -> {
            seen.add(delivery.change());
            begun.countDown();
            goOn.await();
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
      assertThat(reader.stop(Duration.ofSeconds(20))).isEqualTo(new EndReason.Stopped(true));
      release.join();
    }
    int delivered = seen.size();
    try (ChangeReader next = reader(options())) {
      next.start(delivery -> seen.add(delivery.change()));
      eventually("everything arrives", () -> seen.size() >= source.committed().size());
    }
    assertThat(delivered).isEqualTo(2);
    assertComplete();
  }

  @Test
  void waitsOfAReaderTakeTheLongestPatienceThatThereIs() throws Exception {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    write(1);
    try (ChangeReader reader = reader(options())) {
      assertThat(reader.iterate().next(longest)).isPresent();
    }
    try (ChangeReader reader = reader(options())) {
      reader.start(delivery -> seen.add(delivery.change()));
      eventually("it reads", () -> seen.size() == source.committed().size());
      assertThat(reader.stop(longest)).isEqualTo(new EndReason.Stopped(true));
      assertThat(reader.await(longest)).isPresent();
    }
  }

  @Test
  void stopWithAHangingHandlerReturnsInTimeAndCloseInterruptsIt() throws Exception {
    write(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    try (ChangeReader reader = reader(options())) {
      reader.start(
          delivery -> {
            begun.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException closed) {
              interrupted.countDown();
            }
          });
      begun.await();
      assertThat(reader.stop(Duration.ofMillis(50))).isEqualTo(new EndReason.Stopped(false));
    }
    interrupted.await();
    assertThat(source.open()).isZero();
  }

  /** Refuses interrupted threads, as a served store does. */
  private static final class Interruptible extends ForwardingDatabase {
    Interruptible(Database delegate) {
      super(delegate);
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedOperationException("Interrupted", null);
      }
      return super.begin(options);
    }
  }

  @Test
  void readerThatAnInterruptedThreadClosesGivesUpItsLease() {
    write(3);
    ReaderOptions options = options().withLease(Duration.ofMinutes(5));
    try (Database database = new Interruptible(EmbeddedDatabase.inMemory())) {
      MetadataStore rows = MetadataStore.in(database, Subspace.of("run"));
      ChangeReader closed = ChangeReader.of(source, rows, options);
      closed.start(delivery -> seen.add(delivery.change()));
      eventually("it reads", () -> seen.size() == source.committed().size());

      Thread.currentThread().interrupt();
      closed.close();

      assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
      seen.clear();
      write(1);
      try (ChangeReader next = ChangeReader.of(source, rows, options)) {
        next.start(delivery -> seen.add(delivery.change()));
        eventually("the next one reads", () -> seen.contains(source.committed().getLast()));
      }
    }
  }

  @Test
  void exceptionOfTheHandlerEndsTheReaderAndTheChangeComesAgain() throws Exception {
    write(3);
    try (ChangeReader reader = reader(options())) {
      reader.start(
          delivery -> {
            throw new IllegalStateException("no");
          });
      assertThat(end(reader))
          .isInstanceOfSatisfying(
              EndReason.Failed.class, failed -> assertThat(failed.cause()).hasMessage("no"));
    }
    try (ChangeReader next = reader(options())) {
      next.start(delivery -> seen.add(delivery.change()));
      eventually("all come again", () -> seen.size() == source.committed().size());
    }
    assertComplete();
  }

  @Test
  void secondStartIsRefused() {
    try (ChangeReader reader = reader(options())) {
      reader.start(delivery -> {});
      assertThatThrownBy(() -> reader.start(delivery -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("started before");
    }
  }

  @Test
  void startBehindTheEndIsRefused() {
    Instant end = Instant.ofEpochSecond(5);
    assertThatThrownBy(() -> options().withStart(StartAt.time(end.plusSeconds(1))).withEnd(end))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> options().withEnd(end).withStart(StartAt.time(end.plusSeconds(1))))
        .isInstanceOf(UsageException.class);
    write(20);
    try (ChangeReader reader = reader(options().withStart(StartAt.now()).withEnd(end))) {
      assertThatThrownBy(() -> reader.start(delivery -> {}))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("behind its end");
    }
    assertThat(Lineage.of(store, "run").run()).isEmpty();
  }

  @Test
  void runThatBeganBeforeItsEndGoesOnAfterItAlthoughItsOptionsSayNow() throws Exception {
    Instant end = source.timeOf(source.now()).plusSeconds(10);
    ReaderOptions options = options().withStart(StartAt.now()).withEnd(end);
    try (ChangeReader reader = reader(options)) {
      reader.start(delivery -> seen.add(delivery.change()));
      write(3);
      eventually("the first changes come", () -> seen.size() == source.committed().size());
      assertThat(reader.stop(Duration.ofSeconds(20))).isEqualTo(new EndReason.Stopped(true));
    }
    write(20);

    try (ChangeReader reader = reader(options)) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(seen.stream().map(DataChange::id))
        .containsExactlyInAnyOrderElementsOf(
            source.committed().stream()
                .filter(change -> !change.commitTimestamp().isAfter(end))
                .map(DataChange::id)
                .toList());
    int queries = source.queries().size();
    try (ChangeReader again = reader(options)) {
      again.start(delivery -> seen.add(delivery.change()));
      assertThat(end(again)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(source.queries()).hasSize(queries);
  }

  @Test
  void pausedReaderHandsOutNothingUntilItGoesOn() throws Exception {
    try (ChangeReader reader = reader(options())) {
      reader.start(delivery -> seen.add(delivery.change()));
      write(1);
      eventually("the first arrives", () -> seen.size() == 2);
      reader.pause();
      write(5);
      dev.tidemark.testkit.Eventually.pause(Duration.ofMillis(30));
      assertThat(seen).hasSize(2);
      reader.resume();
      eventually("the rest arrives", () -> seen.size() == 12);
    }
  }

  @Test
  void onlyTheConfiguredNumberIsInFlightAndOtherPartitionsGoOn() throws Exception {
    for (int i = 0; i < 20; i++) {
      source.commit(0);
      source.commit(1);
    }
    List<Delivery> held = new CopyOnWriteArrayList<>();
    try (ChangeReader reader =
        reader(
            options().withManualAck().withOrder(OrderMode.UNORDERED).withInFlightPerPartition(4))) {
      reader.start(
          delivery -> {
            if (delivery.token().equals("p0")) {
              held.add(delivery);
            } else {
              seen.add(delivery.change());
              delivery.ack();
            }
          });
      eventually("the other partition goes on", () -> seen.size() == 20);
      eventually("the limit is reached", () -> held.size() == 4);
      assertThat(reader.statistics().inFlight()).isEqualTo(4);
      held.get(2).ack();
      eventually("one more is read", () -> held.size() == 5);
    }
  }

  @Test
  void changeThatIsNotAcknowledgedInTimeIsHandedOutAgain() throws Exception {
    source.commit(0);
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    try (ChangeReader reader =
        reader(
            options()
                .withManualAck()
                .withAckTimeout(Duration.ofMillis(20), ReaderOptions.OnAckTimeout.REDELIVER))) {
      reader.start(
          delivery -> {
            attempts.add(delivery.attempt());
            if (delivery.attempt() == 3) {
              delivery.ack();
            }
          });
      eventually("the third attempt", () -> attempts.contains(3));
      eventually("nothing is in flight", () -> reader.statistics().inFlight() == 0);
      assertThat(attempts).containsExactly(1, 2, 3);
      assertThat(reader.statistics().redeliveries()).isEqualTo(2);
    }
  }

  @Test
  void gapFailsTheReaderAndNamesIt() throws Exception {
    write(10);
    source.expire(8);
    try (ChangeReader reader =
        reader(options().withStart(StartAt.position(ScriptedSource.position(3))))) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader))
          .isInstanceOfSatisfying(
              EndReason.Failed.class,
              failed ->
                  assertThat(failed.cause())
                      .hasMessageContaining("from 1970-01-01T00:00:03Z (0000000000000003)")
                      .hasMessageContaining("OnGap.SKIP"));
      assertThat(reader.gaps())
          .containsExactly(
              "partition root from 1970-01-01T00:00:03Z (0000000000000003) to 1970-01-01T00:00:08Z"
                  + " (0000000000000008)");
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void gapIsSkippedAndReportedIfThePolicySaysSo() throws Exception {
    write(10);
    source.expire(8);
    try (ChangeReader reader =
        reader(
            bounded()
                .withStart(StartAt.position(ScriptedSource.position(3)))
                .withOnGap(ReaderOptions.OnGap.SKIP))) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
      assertThat(reader.gaps()).hasSize(1);
    }
    assertThat(seen.stream().map(change -> ScriptedSource.number(change.position())))
        .containsExactlyInAnyOrder(8L, 8L, 9L, 9L, 10L, 10L, 11L, 11L);
  }

  @Test
  void queryThatBreaksOffIsAskedAgainAndNeverTakenForTheEnd() throws Exception {
    write(10);
    AtomicInteger left = new AtomicInteger(20);
    AtomicInteger calls = new AtomicInteger();
    source.setFaults(
        token ->
            !token.isEmpty() && calls.incrementAndGet() % 4 == 0 && left.decrementAndGet() > 0);
    try (ChangeReader reader = reader(bounded())) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertComplete();
  }

  @Test
  void sourceThatAlwaysBreaksOffFailsTheReaderWithThePartition() throws Exception {
    source.setFaults(token -> token.equals("p1"));
    try (ChangeReader reader = reader(options())) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader))
          .isInstanceOfSatisfying(
              EndReason.Failed.class,
              failed ->
                  assertThat(failed.cause()).hasMessageContaining("5 queries of partition p1"));
    }
    assertThat(Lineage.of(store, "run").find("p1").orElseThrow().isFinished()).isFalse();
  }

  @Test
  void refusalIsNotTriedAgainAndUnavailabilityIsTriedSixTimes() throws Exception {
    for (Kind kind : Set.of(Kind.PERMISSION_DENIED, Kind.UNAVAILABLE)) {
      ScriptedSource broken = new ScriptedSource(1, 1);
      broken.setFaults(
          token -> {
            throw new ChangeSourceException(kind, "Injected", null);
          });
      try (ChangeReader reader =
          ChangeReader.of(broken, MetadataStore.inMemory(TimeSource.system()), options())) {
        reader.start(delivery -> {});
        assertThat(end(reader)).isInstanceOf(EndReason.Failed.class);
      }
      assertThat(broken.queries()).hasSize(kind == Kind.UNAVAILABLE ? 6 : 1);
    }
  }

  @Test
  void silentQueryIsCancelledAndAskedAgain() throws Exception {
    source.setHeartbeats(false);
    try (ChangeReader reader =
        reader(options().withHeartbeat(Duration.ofMillis(100)).withMissedHeartbeats(1))) {
      reader.start(delivery -> seen.add(delivery.change()));
      eventually("a query was cancelled", () -> reader.statistics().silences() > 0);
      write(1);
      eventually("changes still arrive", () -> seen.size() == 2);
    }
  }

  @Test
  void idleStreamStillMovesTheWatermark() throws Exception {
    try (ChangeReader reader = reader(options())) {
      reader.start(delivery -> seen.add(delivery.change()));
      source.tick();
      Instant target = source.timeOf(source.now());
      eventually(
          "the watermark arrives",
          () -> reader.statistics().ackWatermark().filter(target::equals).isPresent());
    }
  }

  @Test
  void severalReadersShareARunAndNothingIsLostWhenOneIsKilled() throws Exception {
    ReaderOptions options = options().withLease(Duration.ofMillis(300));
    ChangeReader first = reader(options);
    ChangeReader second = reader(options);
    try (first;
        second) {
      first.start(delivery -> seen.add(delivery.change()));
      second.start(delivery -> seen.add(delivery.change()));
      write(20);
      source.split(source.alive().getFirst());
      write(20);
      eventually(
          "both read", () -> first.statistics().reading() > 0 && second.statistics().reading() > 0);
      first.close();
      write(20);
      eventually(
          "everything arrives",
          () -> seen.stream().map(DataChange::id).distinct().count() == source.committed().size());
    }
  }

  @Test
  void sinkThatKeepsPositionsGoesBeforeTheMetadataStore() throws Exception {
    write(10);
    Map<String, ResumePoint> kept = Collections.synchronizedMap(new HashMap<>());
    try (ChangeReader reader = reader(options())) {
      reader.startBatches(
          batch -> {
            seen.addAll(batch.changes());
            kept.put(batch.token(), batch.resume());
          },
          (token, epoch) -> Optional.ofNullable(kept.get(token)));
      eventually("all arrive", () -> seen.size() == 20);
    }
    store.delete("run");
    try (ChangeReader again = reader(bounded())) {
      again.startBatches(
          batch -> seen.addAll(batch.changes()),
          (token, epoch) -> Optional.ofNullable(kept.get(token)));
      assertThat(end(again)).isInstanceOf(EndReason.Completed.class);
    }
    assertComplete();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoEndsAReaderThatIsAboutToStartDoesNotWaitForItsStores(boolean orderly) throws Exception {
    write(1);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    FaultyMetadata slow = new FaultyMetadata(store, new SplittableRandom(1));
    slow.setBefore(
        () -> {
          asked.countDown();
          assertThatCode(goOn::await).doesNotThrowAnyException();
        });
    ChangeReader reader = ChangeReader.of(source, slow, options());
    Thread starter =
        Thread.ofVirtual().start(() -> reader.start(delivery -> seen.add(delivery.change())));
    asked.await();
    EndReason expected = orderly ? new EndReason.Stopped(true) : new EndReason.Closed();
    if (orderly) {
      assertThat(reader.stop(Duration.ofSeconds(20))).isEqualTo(expected);
    } else {
      reader.close();
    }
    assertThat(reader.endReason()).contains(expected);
    goOn.countDown();
    starter.join();
    assertThat(reader.endReason()).contains(expected);
    assertThat(reader.await(Duration.ofSeconds(20))).contains(expected);
    assertThat(source.queries()).isEmpty();
    assertThat(seen).isEmpty();
  }

  @Test
  void stopWhosePositionsCannotBeStoredIsAFailure() throws Exception {
    write(1);
    FaultyMetadata faulty = new FaultyMetadata(store, new SplittableRandom(1));
    try (ChangeReader reader =
        ChangeReader.of(
            source, faulty, options().withManualAck().withFlushInterval(Duration.ofHours(1)))) {
      List<Delivery> held = new CopyOnWriteArrayList<>();
      reader.start(held::add);
      eventually("both arrive", () -> held.size() == 2);
      eventually("both partitions run", () -> reader.lineage().partitions().size() == 3);
      held.forEach(Delivery::ack);
      faulty.setFaults(1, 0);
      assertThat(reader.stop(Duration.ofSeconds(20)))
          .isInstanceOfSatisfying(
              EndReason.Failed.class,
              failed -> assertThat(failed.cause()).hasMessageContaining("Injected"));
    }
  }

  @Test
  void pauseIsNotTakenForSilenceOfTheSource() throws Exception {
    source.setHeartbeats(false);
    ManualTime time = ManualTime.standing();
    try (ChangeReader reader = reader(options().withTime(time))) {
      reader.start(delivery -> seen.add(delivery.change()));
      write(1);
      eventually("the first arrive", () -> seen.size() == 2);
      reader.pause();
      dev.tidemark.testkit.Eventually.pause(Duration.ofMillis(250));
      time.advance(Duration.ofMinutes(1));
      dev.tidemark.testkit.Eventually.pause(Duration.ofMillis(250));
      reader.resume();
      write(1);
      eventually("the next arrive", () -> seen.size() == 4);
      assertThat(reader.statistics().silences()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = OrderMode.class,
      names = {"PARTITION", "KEY"})
  void thousandKeysStayInOrderOverThirtyPartitionsOfHistory(OrderMode mode) throws Exception {
    ScriptedSource wide = new ScriptedSource(2, 1_000);
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 15; round++) {
      for (int i = 0; i < 200; i++) {
        wide.commit(random.nextInt(1_000));
      }
      List<String> alive = wide.alive();
      String token = alive.get(random.nextInt(alive.size()));
      if (round % 3 == 1) {
        wide.merge(token, alive.get((alive.indexOf(token) + 1) % alive.size()));
      } else {
        wide.split(token);
      }
    }
    try (ChangeReader reader =
        ChangeReader.of(wide, store, options().withOrder(mode).withEnd(wide.timeOf(wide.now())))) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
      assertThat(reader.lineage().partitions()).hasSizeGreaterThan(25);
    }
    assertThat(seen.stream().map(DataChange::id))
        .containsExactlyInAnyOrderElementsOf(
            wide.committed().stream().map(DataChange::id).toList());
    assertOrderedByKey();
  }

  @Test
  void runMayEndWhereItStarts() throws Exception {
    write(3);
    Instant only = source.timeOf(ScriptedSource.position(3));
    try (ChangeReader reader = reader(options().withStart(StartAt.time(only)).withEnd(only))) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
    }
    assertThat(seen).hasSize(2).allMatch(change -> change.commitTimestamp().equals(only));
  }

  @Test
  void positionOutsideOfItsPartitionEndsTheReaderAndFinishesNothing() throws Exception {
    write(3);
    try (ChangeReader reader = reader(options())) {
      reader.startBatches(
          batch -> {},
          (token, epoch) ->
              token.equals("p1")
                  ? Optional.of(ResumePoint.at(ScriptedSource.position(0)))
                  : Optional.empty());
      assertThat(end(reader))
          .isInstanceOfSatisfying(
              EndReason.Failed.class,
              failed ->
                  assertThat(failed.cause())
                      .hasMessageContaining("Partition p1")
                      .hasMessageContaining("Position 0 is invalid for p1 [1, "));
    }
    assertThat(Lineage.of(store, "run").find("p1").orElseThrow().isFinished()).isFalse();
  }

  @Test
  void manyAcknowledgementsCauseFewWrites() throws Exception {
    write(2_000);
    try (ChangeReader reader = reader(bounded().withFlushInterval(Duration.ofMillis(100)))) {
      reader.start(delivery -> seen.add(delivery.change()));
      assertThat(end(reader)).isInstanceOf(EndReason.Completed.class);
      assertThat(reader.statistics().positionWrites()).isLessThan(200);
    }
    assertComplete();
  }
}
