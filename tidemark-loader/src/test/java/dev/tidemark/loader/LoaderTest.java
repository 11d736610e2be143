package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.pool.RetryPolicy;
import dev.tidemark.testkit.Eventually;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@SuppressWarnings("try") // closing twice is what some tests are about
class LoaderTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final ManualTime time = ManualTime.selfAdvancing();
  private final QueueModel queue = new QueueModel(time, Duration.ofSeconds(60));
  private final MemoryWarehouse warehouse = new MemoryWarehouse();
  private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();

  @AfterEach
  void nobodyMadeMistakes() {
    assertThat(queue.mistakes()).isEmpty();
    assertThat(warehouse.mistakes()).isEmpty();
  }

  private Loader loader(UnaryOperator<LoaderOptions> options) {
    return Loader.open(
        queue,
        warehouse,
        new KeyValueMapping(),
        letters::addAll,
        o -> options.apply(o.withTime(time)));
  }

  private LoadResult drain(UnaryOperator<LoaderOptions> options) {
    try (Loader loader = loader(options)) {
      LoadResult result = loader.drain();
      assertThat(loader.messages()).isEmpty();
      assertThat(result.pulled())
          .isEqualTo(result.merged() + result.ignored() + result.dead() + result.nacked());
      return result;
    }
  }

  private void publish(int count) {
    for (int i = 0; i < count; i++) {
      queue.publish("m" + i, NOON.plusMillis(i), "key", "k" + i, "value", "v" + i);
    }
  }

  private @Nullable Object value(String key) {
    return warehouse.table(1).get(List.of(key));
  }

  @Test
  void emptySourceEndsTheRunWithoutAMerge() {
    LoadResult result = drain(o -> o);

    assertThat(result.ending()).isInstanceOf(LoadResult.Ending.SourceEmpty.class);
    assertThat(result.successful()).isTrue();
    assertThat(result.pulled()).isZero();
    assertThat(warehouse.merges()).isEmpty();
    assertThat(queue.pulls()).isEqualTo(2);
  }

  @Test
  void everyMessageIsStoredAndAcknowledgedOnce() {
    publish(10_000);

    LoadResult result = drain(o -> o);

    assertThat(result.merged()).isEqualTo(10_000);
    assertThat(warehouse.table(1)).hasSize(10_000);
    assertThat(queue.acked()).hasSize(10_000).allSatisfy((id, n) -> assertThat(n).isOne());
    assertThat(warehouse.merges()).hasSizeGreaterThanOrEqualTo(3);
    assertThat(warehouse.merges())
        .allSatisfy(batch -> assertThat(batch.rows()).hasSizeLessThanOrEqualTo(4_096));
    assertThat(queue.ackSizes()).allSatisfy(n -> assertThat(n).isLessThanOrEqualTo(1_000));
    assertThat(result.batches()).isEqualTo(warehouse.merges().size());
  }

  @Test
  void oneEmptyAnswerDoesNotProveAnEmptySource() {
    publish(3);
    queue.answerEmpty(1);

    assertThat(drain(o -> o).merged()).isEqualTo(3);
  }

  @Test
  void batchesAreLimitedByBytes() {
    String large = "x".repeat(1_000);
    for (int i = 0; i < 3_000; i++) {
      queue.publish("m" + i, NOON, "key", large + i, "value", "v");
    }

    drain(o -> o.withBatchMax(4_096, 900_000));

    assertThat(warehouse.table(1)).hasSize(3_000);
    assertThat(warehouse.merges())
        .allSatisfy(
            batch ->
                assertThat(batch.rows().stream().mapToLong(row -> row.message().bytes()).sum())
                    .isLessThanOrEqualTo(900_000));
  }

  @Test
  void nextBatchIsAnnouncedWhileOneIsMergedAndHasTheSameRows() {
    publish(30);
    List<List<Row>> announced = new CopyOnWriteArrayList<>();
    CountDownLatch next = new CountDownLatch(1);
    warehouse.expecting(
        rows -> {
          announced.add(rows);
          next.countDown();
        });
    warehouse.behave(
        (batch, store) -> {
          await(next);
          return store.get();
        });

    LoadResult result = drain(o -> o.withBatchMax(10, 900_000));

    assertThat(result.merged()).isEqualTo(30);
    assertThat(warehouse.merges().get(1).rows()).isSameAs(announced.getFirst());
  }

  @Test
  void warehouseThatFailsWhenABatchIsAnnouncedGetsItAllTheSame() {
    publish(100);
    warehouse.expecting(
        rows -> {
          throw new IllegalStateException("no room");
        });

    assertThat(drain(o -> o.withBatchMax(7, 900_000)).merged()).isEqualTo(100);
    assertThat(warehouse.table(1)).hasSize(100);
  }

  @Test
  void messageLargerThanABatchGoesAlone() {
    publish(2);
    queue.publish("large", NOON, "key", "x".repeat(5_000), "value", "v");

    assertThat(drain(o -> o.withBatchMax(100, 1_000)).merged()).isEqualTo(3);
  }

  @Test
  void duplicatesInABatchAreFoldedToTheLatestPublication() {
    queue.publish("m2", NOON.plusSeconds(2), "key", "k", "value", "late");
    queue.publish("m1", NOON.plusSeconds(1), "key", "k", "value", "early");
    queue.publish("m3", NOON.plusSeconds(2), "key", "k", "value", "tie with a greater id");

    LoadResult result = drain(o -> o);

    assertThat(value("k")).isEqualTo("tie with a greater id");
    assertThat(result.duplicates()).isEqualTo(2);
    assertThat(result.merged()).isEqualTo(3);
    assertThat(queue.acked()).containsOnlyKeys("m1", "m2", "m3");
  }

  @Test
  void earlierPublicationNeverOverwritesALaterOneOfAnotherBatch() {
    queue.publish("late", NOON.plusSeconds(1), "key", "k", "value", "late");
    queue.publish("early", NOON, "key", "k", "value", "early");

    drain(o -> o.withBatchMax(1, 900_000));

    assertThat(value("k")).isEqualTo("late");
    assertThat(queue.acked()).containsOnlyKeys("early", "late");
  }

  @Test
  void badMessagesAreDeadLettersAndTheOthersAreStored() {
    publish(5);
    queue.publish("bad", NOON, "key", "x", "value", "bad");
    queue.publish("missing", NOON, "key", "x");
    queue.publish("defect", NOON, "key", "x", "value", "throw");
    queue.publish("none", NOON, "key", "x", "value", "none");

    LoadResult result = drain(o -> o);

    assertThat(result.merged()).isEqualTo(5);
    assertThat(result.dead()).isEqualTo(3);
    assertThat(result.ignored()).isEqualTo(1);
    assertThat(letters)
        .extracting(letter -> letter.message().id())
        .containsExactlyInAnyOrder("bad", "missing", "defect");
    assertThat(letters)
        .extracting(DeadLetter::reason)
        .contains("bad value", "missing key or value")
        .anyMatch(reason -> reason.contains("the mapping has a defect"));
    assertThat(queue.backlog()).isZero();
  }

  @Test
  void messagesAreGivenBackIfTheirDeadLettersCannotBeWritten() {
    publish(2);
    queue.publish("bad", NOON, "key", "x", "value", "bad");
    try (Loader loader =
        Loader.open(
            queue,
            warehouse,
            new KeyValueMapping(),
            list -> {
              throw new IllegalStateException("disk full");
            },
            o -> o.withTime(time))) {
      LoadResult result = loader.drain();

      assertThat(result.ending()).isInstanceOf(LoadResult.Ending.WarehouseFailed.class);
      assertThat(result.merged()).isEqualTo(2);
      assertThat(queue.acked()).doesNotContainKey("bad");
      assertThat(queue.backlog()).isEqualTo(1);
    }
  }

  @Test
  void rowThatTheWarehouseRefusesIsFoundByHalving() {
    publish(4_096);
    refuse("k1234");

    LoadResult result = drain(o -> o);

    assertThat(result.merged()).isEqualTo(4_095);
    assertThat(letters).singleElement().extracting(DeadLetter::reason).isEqualTo("k1234 is poison");
    assertThat(warehouse.table(1)).hasSize(4_095).doesNotContainKey(List.of("k1234"));
    assertThat(warehouse.merges()).hasSizeLessThanOrEqualTo(2 * 12 + 20);
    assertThat(queue.backlog()).isZero();
  }

  private void refuse(String key) {
    warehouse.behave(
        (batch, store) ->
            batch.rows().stream().anyMatch(row -> key.equals(row.value(0)))
                ? new MergeOutcome.Refused(key + " is poison")
                : store.get());
  }

  @Test
  void batchOfPoisonOnlyEnds() {
    publish(64);
    warehouse.behave((batch, store) -> new MergeOutcome.Refused("poison"));

    LoadResult result = drain(o -> o);

    assertThat(result.dead()).isEqualTo(64);
    assertThat(queue.backlog()).isZero();
  }

  @Test
  void earlierGoodValueIsStoredIfTheLaterOneOfItsKeyIsRefused() {
    queue.publish("good", NOON, "key", "k", "value", "good");
    queue.publish("poison", NOON.plusSeconds(1), "key", "k", "value", "poison");
    warehouse.behave(
        (batch, store) ->
            batch.rows().stream().anyMatch(row -> "poison".equals(row.value(1)))
                ? new MergeOutcome.Refused("poison")
                : store.get());

    drain(o -> o);

    assertThat(value("k")).isEqualTo("good");
    assertThat(letters).extracting(letter -> letter.message().id()).containsExactly("poison");
  }

  @Test
  void passingFailureIsTriedAgainWithAnotherJob() {
    publish(10);
    AtomicInteger calls = new AtomicInteger();
    warehouse.behave(
        (batch, store) ->
            calls.incrementAndGet() <= 2 ? new MergeOutcome.Unavailable("503") : store.get());
    Duration before = Duration.ofNanos(time.nanos());

    LoadResult result = drain(o -> o);

    assertThat(result.merged()).isEqualTo(10);
    assertThat(warehouse.merges()).hasSize(3).extracting(Batch::job).doesNotHaveDuplicates();
    assertThat(Duration.ofNanos(time.nanos()).minus(before)).isGreaterThan(Duration.ofMillis(300));
  }

  @Test
  void jobsOfARunCanBeListedWithTheirOutcomes() {
    publish(10);
    AtomicInteger merges = new AtomicInteger();
    warehouse.behave(
        (batch, store) ->
            merges.getAndIncrement() == 0 ? new MergeOutcome.Unavailable("503") : store.get());
    try (Loader loader = loader(o -> o)) {
      assertThat(loader.jobs()).isEmpty();
      loader.drain();
      List<JobInfo> jobs = loader.jobs();

      assertThat(jobs)
          .extracting(JobInfo::id)
          .isEqualTo(warehouse.merges().stream().map(Batch::job).toList());
      assertThat(jobs)
          .extracting(JobInfo::outcome)
          .containsExactly(new MergeOutcome.Unavailable("503"), new MergeOutcome.Merged(10));
      assertThat(jobs)
          .allSatisfy(
              job -> {
                assertThat(job.messages()).isEqualTo(10);
                assertThat(job.rows()).isEqualTo(10);
                assertThat(job.bytes()).isPositive();
              });
      loader.drain();
      assertThat(loader.jobs()).isEmpty();
    }
  }

  @Test
  void unknownOutcomeIsSettledByTheJobAndNotMergedAgain() {
    publish(10);
    warehouse.behave(
        (batch, store) -> {
          assertThat(store.get()).isInstanceOf(MergeOutcome.Merged.class);
          throw new IllegalStateException("The answer is lost");
        });

    LoadResult result = drain(o -> o);

    assertThat(result.merged()).isEqualTo(10);
    assertThat(warehouse.merges()).hasSize(1);
  }

  @Test
  void unknownOutcomeThatWasNotStoredIsMergedAsAnotherJob() {
    publish(10);
    AtomicInteger calls = new AtomicInteger();
    warehouse.behave(
        (batch, store) -> {
          if (calls.incrementAndGet() == 1) {
            return new MergeOutcome.Unknown("The connection broke");
          }
          return store.get();
        });

    assertThat(drain(o -> o).merged()).isEqualTo(10);
    assertThat(warehouse.merges()).hasSize(2).extracting(Batch::job).doesNotHaveDuplicates();
  }

  @Test
  void warehouseThatIsDownEndsTheRunAndPullsAreBounded() {
    publish(20_000);
    warehouse.behave((batch, store) -> new MergeOutcome.Unavailable("connection refused"));

    LoadResult result = drain(o -> o.withBatchMax(100, 900_000));

    assertThat(result.ending())
        .isEqualTo(new LoadResult.Ending.WarehouseFailed("connection refused"));
    assertThat(result.successful()).isFalse();
    assertThat(result.merged()).isZero();
    assertThat(queue.pulls()).isLessThan(20);
    assertThat(queue.leasedNow()).isZero();
    assertThat(queue.backlog()).isEqualTo(20_000);
    assertThat(result.nackedForTime()).isZero();
  }

  @Test
  void lastingFailureEndsTheRunAtOnce() {
    publish(10);
    warehouse.behave((batch, store) -> new MergeOutcome.Impossible("permission denied"));

    LoadResult result = drain(o -> o);

    assertThat(result.ending())
        .isEqualTo(new LoadResult.Ending.WarehouseFailed("permission denied"));
    assertThat(warehouse.merges()).hasSize(1);
    assertThat(queue.acked()).isEmpty();
    assertThat(result.nacked()).isEqualTo(10);
  }

  @Test
  void runForEverOutlivesAWarehouseThatIsDownForAWhile() throws Exception {
    publish(50);
    AtomicInteger failures = new AtomicInteger();
    warehouse.behave(
        (batch, store) ->
            failures.incrementAndGet() <= 40 ? new MergeOutcome.Unavailable("down") : store.get());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader = loader(o -> o)) {
      Future<LoadResult> result = threads.submit(loader::runForEver);
      Eventually.eventually("all is stored", () -> queue.acked().size() == 50);
      loader.close();

      assertThat(result.get().ending()).isInstanceOf(LoadResult.Ending.Closed.class);
      assertThat(loader.statistics().breakerOpened()).isPositive();
      assertThat(queue.leasedNow()).isZero();
    }
  }

  @Test
  void sourceThatFailsForAWhileIsPulledAgain() {
    publish(10);
    queue.failPulls(3);

    assertThat(drain(o -> o).merged()).isEqualTo(10);
  }

  @Test
  void sourceThatIsDownEndsTheRun() {
    queue.failPulls(Integer.MAX_VALUE);

    LoadResult result = drain(o -> o);

    assertThat(result.ending())
        .isEqualTo(new LoadResult.Ending.SourceFailed("The queue cannot be reached"));
    assertThat(queue.pulls()).isEqualTo(5);
  }

  @Test
  void acknowledgementsAreTriedAgain() {
    publish(10);
    queue.failAcks(2);

    LoadResult result = drain(o -> o);

    assertThat(result.acksLost()).isZero();
    assertThat(queue.acked()).hasSize(10);
  }

  @Test
  void lostAcknowledgementIsCountedAndTheRedeliveryAbsorbed() {
    publish(10);
    Set<String> lost = new HashSet<>();
    queue.loseAcks(message -> message.id().equals("m3") && lost.add("m3"));

    LoadResult result = drain(o -> o);

    assertThat(result.acksLost()).isEqualTo(1);
    assertThat(result.pulled()).isEqualTo(11);
    assertThat(warehouse.table(1)).hasSize(10);
    assertThat(queue.acked()).hasSize(10);
  }

  @Test
  void slowWarehouseAndABudgetLeaveNoMessageLeased() {
    publish(50_000);
    warehouse.behave(
        (batch, store) -> {
          takes(Duration.ofSeconds(2));
          return store.get();
        });
    try (Loader loader = loader(o -> o)) {
      LoadResult result = loader.drain(TimeBudget.of(Duration.ofSeconds(10)));

      assertThat(result.ending()).isInstanceOf(LoadResult.Ending.BudgetUsed.class);
      assertThat(result.elapsed()).isLessThanOrEqualTo(Duration.ofSeconds(10));
      assertThat(result.merged()).isPositive();
      assertThat(result.nacked()).isEqualTo(result.nackedForTime()).isLessThanOrEqualTo(2 * 4_096);
      assertThat(queue.leasedNow()).isZero();
      assertThat(queue.acked()).hasSize((int) result.merged());
      assertThat(warehouse.table(1)).hasSize((int) result.merged());
    }
  }

  private void takes(Duration duration) {
    try {
      time.sleep(duration);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void sourceThatNeverStopsEndsWithTheBudget() {
    AtomicInteger number = new AtomicInteger();
    warehouse.behave(
        (batch, store) -> {
          takes(Duration.ofMillis(500));
          for (int i = 0; i < 100; i++) {
            int n = number.incrementAndGet();
            queue.publish("n" + n, NOON, "key", "n" + n, "value", "v");
          }
          return store.get();
        });
    publish(100);
    try (Loader loader = loader(o -> o.withBatchMax(100, 900_000))) {
      LoadResult result = loader.runFor(TimeBudget.of(Duration.ofSeconds(30)));

      assertThat(result.ending()).isInstanceOf(LoadResult.Ending.BudgetUsed.class);
      assertThat(result.elapsed()).isLessThanOrEqualTo(Duration.ofSeconds(30));
      assertThat(queue.leasedNow()).isZero();
      assertThat(result.pulled()).isEqualTo(result.merged() + result.nacked());
    }
  }

  @Test
  void budgetThatIsNoTimeIsRefused() {
    assertThatThrownBy(() -> TimeBudget.of(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S");
    assertThatThrownBy(() -> TimeBudget.of(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void marksOfFiveMinutesAreSixtyThirtyAndTenSeconds() {
    assertThat(TimeBudget.of(Duration.ofMinutes(5)))
        .isEqualTo(
            new TimeBudget(
                Duration.ofMinutes(5),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10)));
  }

  @Test
  void batchLimitsThatMakeNoSenseAreRefused() {
    LoaderOptions options = LoaderOptions.defaults();

    assertThat(options.batchMessages()).isEqualTo(4_096);
    assertThatThrownBy(() -> options.withBatchMax(0, 1)).hasMessageContaining("batchMessages is 0");
    assertThatThrownBy(() -> options.withBatchMax(-1, 1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> options.withBatchMax(1, 0)).hasMessageContaining("batchBytes is 0");
  }

  @Test
  void errorInTheWarehouseEndsTheRunVisiblyAndGivesMessagesBack() {
    publish(10);
    warehouse.behave(
        (batch, store) -> {
          throw new StackOverflowError("a defect of the test");
        });

    LoadResult result = drain(o -> o);

    assertThat(result.ending()).isInstanceOf(LoadResult.Ending.Crashed.class);
    assertThat(result.successful()).isFalse();
    assertThat(queue.leasedNow()).isZero();
    assertThat(result.nacked()).isEqualTo(10);
  }

  @Test
  void suspiciousMessageIsMergedAlone() {
    publish(5);
    queue.publish(
        Message.of("suspect", NOON, Map.of("key", "s", "value", "v"), new byte[0])
            .withDeliveries(12));
    publish(5);

    drain(o -> o.withAloneAfterDeliveries(10));

    assertThat(warehouse.merges())
        .filteredOn(
            batch -> batch.rows().stream().anyMatch(row -> row.message().id().equals("suspect")))
        .singleElement()
        .satisfies(batch -> assertThat(batch.rows()).hasSize(1));
    assertThat(value("s")).isEqualTo("v");
  }

  @Test
  void suspiciousMessageIsMergedWithOthersIfNoneIsToBeAlone() {
    queue.publish(
        Message.of("suspect", NOON, Map.of("key", "s", "value", "v"), new byte[0])
            .withDeliveries(Integer.MAX_VALUE));
    publish(5);

    drain(o -> o.withNoneAlone());

    assertThat(warehouse.merges())
        .singleElement()
        .satisfies(batch -> assertThat(batch.rows()).hasSize(6));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> LoaderOptions.defaults().withAloneAfterDeliveries(0))
        .withMessageContaining("aloneAfterDeliveries is 0");
  }

  @Test
  void statesOfMessagesCanBeListedWhileTheyAreInFlight() throws Exception {
    publish(300);
    CountDownLatch merging = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    warehouse.behave(
        (batch, store) -> {
          merging.countDown();
          await(go);
          return store.get();
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader = loader(o -> o.withBatchMax(100, 900_000))) {
      Future<LoadResult> result = threads.submit(() -> loader.drain());
      merging.await();
      Eventually.eventually("pulling overlaps merging", () -> loader.messages().size() >= 200);
      List<MessageInfo> infos = loader.messages();

      assertThat(infos).extracting(MessageInfo::id).doesNotHaveDuplicates();
      assertThat(infos)
          .filteredOn(info -> info.state() == MessageInfo.State.IN_FLIGHT)
          .hasSize(100);
      assertThat(infos)
          .filteredOn(info -> info.state() == MessageInfo.State.BUFFERED)
          .hasSizeGreaterThanOrEqualTo(100);
      assertThat(loader.isRunning()).isTrue();
      assertThatThrownBy(loader::drain)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("under way");
      go.countDown();
      assertThat(result.get().merged()).isEqualTo(300);
      assertThat(loader.messages()).isEmpty();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void leasesAreRenewedWhileABatchIsInFlight() throws Exception {
    ManualTime standing = ManualTime.standing();
    QueueModel short10 = new QueueModel(standing, Duration.ofSeconds(10));
    for (int i = 0; i < 20; i++) {
      short10.publish("m" + i, NOON, "key", "k" + i, "value", "v");
    }
    CountDownLatch merging = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    warehouse.behave(
        (batch, store) -> {
          merging.countDown();
          await(go);
          return store.get();
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader =
            Loader.open(
                short10,
                warehouse,
                new KeyValueMapping(),
                letters::addAll,
                o -> o.withTime(standing).withBatchMax(20, 900_000))) {
      Future<LoadResult> result = threads.submit(() -> loader.drain());
      merging.await();
      for (int second = 0; second < 25; second++) {
        long renewed = loader.statistics().extensions();
        standing.advance(Duration.ofSeconds(1));
        int expected = second;
        if ((second + 1) % 4 == 0) {
          Eventually.eventually(
              () -> "leases are renewed after " + expected + " s",
              () -> loader.statistics().extensions() > renewed || expected > 24);
        }
      }
      go.countDown();
      while (!result.isDone()) {
        standing.advance(Duration.ofMillis(100));
        Eventually.pause(Duration.ofMillis(1));
      }
      assertThat(result.get().merged()).isEqualTo(20);
      assertThat(short10.deliveries()).isEqualTo(20);
      assertThat(short10.mistakes()).isEmpty();
    }
  }

  @Test
  void nextBatchIsMappedWhileOneIsMerged() {
    publish(12);
    CountDownLatch nextIsMapped = new CountDownLatch(1);
    warehouse.behave(
        (batch, store) -> inTime(nextIsMapped) ? store.get() : new MergeOutcome.Refused("alone"));
    Mapping mapping =
        mapping(
            message -> {
              if (message.id().equals("m7")) {
                nextIsMapped.countDown();
              }
            });
    try (Loader loader = loader(mapping, o -> o.withBatchMax(4, 900_000))) {
      LoadResult result = loader.drain();

      assertThat(letters).isEmpty();
      assertThat(result.merged()).isEqualTo(12);
      assertThat(result.batches()).isEqualTo(3);
    }
  }

  @Test
  void messagesThatAreBeingMappedAtTheEndAreGivenBackOnce() throws Exception {
    publish(8);
    CountDownLatch mapping = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Mapping slow =
        mapping(
            message -> {
              if (message.id().equals("m6")) {
                mapping.countDown();
                await(never);
              }
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader = loader(slow, o -> o.withBatchMax(4, 900_000))) {
      Future<LoadResult> result = threads.submit(loader::runForEver);
      mapping.await();
      Eventually.eventually("what came before is stored", () -> queue.acked().size() == 4);
      assertThat(loader.messages())
          .hasSize(4)
          .allSatisfy(info -> assertThat(info.state()).isEqualTo(MessageInfo.State.BUFFERED));
      loader.close();

      assertThat(result.get().merged()).isEqualTo(4);
      assertThat(result.get().nacked()).isEqualTo(4);
      assertThat(queue.leasedNow()).isZero();
      assertThat(queue.backlog()).isEqualTo(4);
    }
  }

  @Test
  void drainStoresWhatItHasBeforeAPullGivesUp() {
    List<String> seen = new CopyOnWriteArrayList<>();
    CountDownLatch stored = new CountDownLatch(1);
    warehouse.behave(
        (batch, store) -> {
          MergeOutcome outcome = store.get();
          stored.countDown();
          return outcome;
        });
    publish(3);
    MessageSource slow =
        new SlowWhenEmpty(queue, () -> seen.add(inTime(stored) ? "stored" : "not"));
    try (Loader loader =
        Loader.open(
            slow,
            warehouse,
            new KeyValueMapping(),
            letters::addAll,
            o -> o.withBatchAge(Duration.ofHours(1)))) {
      assertThat(loader.drain().merged()).isEqualTo(3);
    }
    assertThat(seen).isNotEmpty().containsOnly("stored");
  }

  private static boolean inTime(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Loader loader(Mapping mapping, UnaryOperator<LoaderOptions> options) {
    return Loader.open(
        queue, warehouse, mapping, letters::addAll, o -> options.apply(o.withTime(time)));
  }

  /** The mapping of the other tests, which tells {@code watcher} of each message before. */
  private static Mapping mapping(Consumer<Message> watcher) {
    KeyValueMapping mapping = new KeyValueMapping();
    return new Mapping() {
      @Override
      public Table table() {
        return mapping.table();
      }

      @Override
      public Result map(Message message) {
        watcher.accept(message);
        return mapping.map(message);
      }
    };
  }

  /** A queue of which all pulls but the first bring nothing, and last as long as they are told. */
  private record SlowWhenEmpty(QueueModel queue, Runnable lasts) implements MessageSource {
    @Override
    public String name() {
      return queue.name();
    }

    @Override
    public void begin(Optional<String> position) {
      queue.begin(position);
    }

    @Override
    public List<Message> pull(int max, Duration wait) {
      if (queue.pulls() == 0) {
        return queue.pull(max, wait);
      }
      lasts.run();
      return List.of();
    }

    @Override
    public Acknowledged ack(List<Message> messages) {
      return queue.ack(messages);
    }

    @Override
    public void nack(List<Message> messages) {
      queue.nack(messages);
    }

    @Override
    public void extend(List<Message> messages) {
      queue.extend(messages);
    }

    @Override
    public boolean inOrder() {
      return false;
    }

    @Override
    public Optional<Duration> lease() {
      return queue.lease();
    }

    @Override
    public void close() {
      queue.close();
    }
  }

  @Test
  void closingGivesBackWhatIsNotStored() throws Exception {
    publish(1_000);
    CountDownLatch merging = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    warehouse.behave(
        (batch, store) -> {
          merging.countDown();
          await(never);
          return new MergeOutcome.Unavailable("interrupted");
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader = loader(o -> o.withBatchMax(100, 900_000))) {
      Future<LoadResult> result = threads.submit(loader::runForEver);
      merging.await();
      loader.close();

      assertThat(result.get().ending()).isInstanceOf(LoadResult.Ending.Closed.class);
      assertThat(queue.leasedNow()).isZero();
      assertThat(queue.backlog()).isEqualTo(1_000);
      assertThat(queue.acked()).isEmpty();
      assertThatThrownBy(loader::drain).hasMessageContaining("closed");
    }
  }

  @Test
  void fewMessagesAreFlushedByAgeInARunForEver() throws Exception {
    publish(3);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader = loader(o -> o.withRetries(RetryPolicy.NONE))) {
      Future<LoadResult> result = threads.submit(loader::runForEver);
      Eventually.eventually("three messages are stored", () -> queue.acked().size() == 3);
      loader.close();
      assertThat(result.get().merged()).isEqualTo(3);
    }
  }

  @Test
  void statisticsAgreeWithTheResults() {
    publish(100);
    queue.publish("bad", NOON, "key", "x", "value", "bad");
    try (Loader loader = loader(o -> o)) {
      LoadResult first = loader.drain();
      List<UUID> jobs = new ArrayList<>();
      warehouse.merges().forEach(batch -> jobs.add(batch.job()));
      LoadResult second = loader.drain();
      LoaderStatistics all = loader.statistics();

      assertThat(first.pulled()).isEqualTo(101);
      assertThat(second.pulled()).isZero();
      assertThat(all.merged()).isEqualTo(100);
      assertThat(all.dead()).isEqualTo(1);
      assertThat(all.batches()).isEqualTo(jobs.size());
      assertThat(all.rows()).isEqualTo(100);
      assertThat(all.buffered()).isZero();
    }
  }

  /** A clock that only the test moves, and a queue with leases on it. */
  private static final class Standing {
    private final ManualTime time = ManualTime.standing();
    private final QueueModel queue = new QueueModel(time, Duration.ofSeconds(60));

    Standing(int messages) {
      for (int i = 0; i < messages; i++) {
        queue.publish("m" + i, NOON, "key", "k" + i, "value", "v");
      }
    }
  }

  /** What a run returned, and whether its thread was interrupted then. */
  private record Returned(LoadResult result, boolean interrupted) {}

  /** A run whose leases are due while its only batch is being merged. */
  private Returned runUntilLeasesAreRenewed(Standing standing) throws Exception {
    CountDownLatch merging = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    warehouse.behave(
        (batch, store) -> {
          merging.countDown();
          await(never);
          return new MergeOutcome.Unavailable("interrupted");
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader =
            Loader.open(
                standing.queue,
                warehouse,
                new KeyValueMapping(),
                letters::addAll,
                o -> o.withTime(standing.time).withBatchMax(10, 900_000))) {
      Future<Returned> run =
          threads.submit(() -> new Returned(loader.runForEver(), Thread.interrupted()));
      merging.await();
      standing.time.advance(Duration.ofSeconds(21));
      Returned returned = run.get(60, TimeUnit.SECONDS);
      assertThat(loader.isRunning()).isFalse();
      return returned;
    }
  }

  @Test
  void sourceThatBreaksWhileLeasesAreRenewedEndsTheRunAndGetsEverythingBack() throws Exception {
    Standing standing = new Standing(30);
    standing.queue.beforeExtend(
        () -> {
          throw new IllegalStateException("a defect of the source");
        });

    Returned returned = runUntilLeasesAreRenewed(standing);

    assertThat(returned.result().ending())
        .isInstanceOfSatisfying(
            LoadResult.Ending.Crashed.class,
            crashed -> assertThat(crashed.cause()).hasMessage("a defect of the source"));
    assertThat(standing.queue.leasedNow()).isZero();
    assertThat(standing.queue.backlog()).isEqualTo(30);
    assertThat(standing.queue.mistakes()).isEmpty();
  }

  @Test
  void interruptWhileLeasesAreRenewedEndsTheRunAsClosingDoes() throws Exception {
    Standing standing = new Standing(30);
    standing.queue.beforeExtend(
        () -> {
          Thread.currentThread().interrupt();
          throw new InterruptedOperationException("Interrupted in the source", null);
        });

    Returned returned = runUntilLeasesAreRenewed(standing);

    assertThat(returned.result().ending()).isInstanceOf(LoadResult.Ending.Closed.class);
    assertThat(returned.interrupted()).isTrue();
    assertThat(standing.queue.leasedNow()).isZero();
    assertThat(standing.queue.backlog()).isEqualTo(30);
    assertThat(standing.queue.mistakes()).isEmpty();
  }

  @Test
  void interruptWhileMessagesAreGivenBackLeavesNoneLeased() throws Exception {
    Standing standing = new Standing(30);
    AtomicInteger interrupts = new AtomicInteger();
    standing.queue.beforeExtend(() -> Thread.currentThread().interrupt());
    standing.queue.beforeNack(
        () -> {
          if (interrupts.getAndIncrement() == 0) {
            Thread.currentThread().interrupt();
            throw new InterruptedOperationException("Interrupted once more", null);
          }
        });

    Returned returned = runUntilLeasesAreRenewed(standing);

    assertThat(returned.interrupted()).isTrue();
    assertThat(interrupts).hasPositiveValue();
    assertThat(standing.queue.leasedNow()).isZero();
    assertThat(returned.result().nacked()).isEqualTo(returned.result().pulled());
  }

  @Test
  void sourceThatIsDownAtTheEndOfTheBudgetIsNotAskedAgainAndAgain() {
    publish(5_000);
    AtomicInteger requests = new AtomicInteger();
    warehouse.behave(
        (batch, store) -> {
          takes(Duration.ofSeconds(40));
          return new MergeOutcome.Unavailable("503");
        });
    queue.beforeNack(
        () -> {
          requests.incrementAndGet();
          takes(Duration.ofSeconds(10));
          throw SourceException.passing("The queue does not answer", null);
        });
    try (Loader loader = loader(o -> o)) {
      LoadResult result = loader.drain(TimeBudget.of(Duration.ofSeconds(30)));

      assertThat(result.ending()).isInstanceOf(LoadResult.Ending.BudgetUsed.class);
      assertThat(result.pulled()).isGreaterThan(4_000);
      assertThat(requests.get()).isOne();
      assertThat(result.elapsed()).isLessThanOrEqualTo(Duration.ofSeconds(60));
    }
  }

  @Test
  void runEndsWhenItsAcknowledgementsHave() throws Exception {
    publish(10);
    CountDownLatch acking = new CountDownLatch(1);
    queue.loseAcks(message -> true);
    queue.beforeAck(
        () -> {
          acking.countDown();
          Eventually.eventually("the merger has been sent home", () -> !isMerging());
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Loader loader = loader(o -> o)) {
      Future<LoadResult> run = threads.submit(loader::runForEver);
      acking.await();
      loader.close();

      assertThat(run.get().merged()).isEqualTo(10);
      assertThat(run.get().acksLost()).isEqualTo(10);
    }
  }

  private static boolean isMerging() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("loader-merge-queue"));
  }

  @Test
  void messageThatOverflowsTheStackOfItsMappingIsADeadLetter() {
    publish(10);
    Mapping deep =
        mapping(
            message -> {
              if (message.id().equals("m4")) {
                throw new StackOverflowError();
              }
            });
    try (Loader loader = loader(deep, o -> o)) {
      LoadResult result = loader.drain();

      assertThat(result.ending()).isInstanceOf(LoadResult.Ending.SourceEmpty.class);
      assertThat(result.merged()).isEqualTo(9);
      assertThat(letters)
          .singleElement()
          .satisfies(letter -> assertThat(letter.reason()).contains("StackOverflowError"));
    }
  }
}
