package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.StatisticsOptions;
import dev.tidemark.records.maintenance.StatisticsReport;
import dev.tidemark.records.maintenance.Upkeep;
import dev.tidemark.records.maintenance.UpkeepEvent;
import dev.tidemark.records.maintenance.UpkeepEvent.Failed;
import dev.tidemark.records.maintenance.UpkeepEvent.Refreshed;
import dev.tidemark.records.maintenance.UpkeepEvent.Swept;
import dev.tidemark.records.maintenance.UpkeepEvent.Work;
import dev.tidemark.records.maintenance.UpkeepOptions;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A space that is swept and whose statistics are renewed while a program does other things. */
@Timeout(60)
@SuppressWarnings("try") // an upkeep works while it is open, without being named
class UpkeepTest {
  private static final TypeSpec SPEC =
      new TypeSpec(
          "Person",
          Person.SPEC.fields(),
          List.of(1),
          false,
          Optional.of(new TypeSpec.Expiry(9, Duration.ZERO)),
          List.of());
  private static final RecordType<Person> TYPE =
      new RecordType<>(SPEC, Person.class, Person.TYPE.codec());
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = ManualTime.standing();
  private final ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time);
  private final RecordSpace space =
      RecordSpace.open(database, Schema.of(1, List.of(TYPE), List.of()), Subspace.of("people"));
  private final RecordStore<Person> people = space.store(TYPE);
  private final BlockingQueue<UpkeepEvent> events = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void expiredRecordsAreSweptInTransactionsOfSomeAndTheOthersStay() throws Exception {
    save(1, 25, time.instant());
    save(26, 30, time.instant().plusSeconds(10_000));
    try (Upkeep upkeep = sweeping(o -> o.withSweptPerTransaction(10))) {
      assertThat(next(MINUTE)).isEqualTo(new Swept(25, true));
      assertThat(stored()).isEqualTo(5);
      assertThat(next(MINUTE)).isEqualTo(new Swept(0, true));

      assertThat(next(Duration.ofSeconds(20_000))).isEqualTo(new Swept(5, true));
      assertThat(stored()).isZero();
    }
  }

  /** The clock moves on with every look at it. */
  @Test
  void turnThatIsOverLeavesTheRestForOneThatComesSoon() throws Exception {
    TimeSource hasty =
        new TimeSource() {
          @Override
          public long wallMicros() {
            return time.wallMicros();
          }

          @Override
          public long nanos() {
            time.advance(Duration.ofMillis(1));
            return time.nanos();
          }

          @Override
          public void sleep(Duration duration) throws InterruptedException {
            time.sleep(duration);
          }
        };
    try (ModelDatabase other = ModelDatabase.open(Limits.DEFAULTS, hasty)) {
      RecordSpace sessions = RecordSpace.open(other, space.schema(), Subspace.of("sessions"));
      other.run(tx -> save(tx, sessions.store(TYPE), 1, 30, time.instant()));
      try (Upkeep upkeep =
          Upkeep.of(
              sessions,
              o ->
                  o.withSweepEvery(MINUTE)
                      .withSweptPerTransaction(20)
                      .withTimePerTurn(Duration.ofMillis(1))
                      .withListener(events::add))) {
        assertThat(next(MINUTE)).isEqualTo(new Swept(20, false));
        assertThat(next(Duration.ofSeconds(10))).isEqualTo(new Swept(10, true));
      }
    }
  }

  @Test
  void statisticsAreCollectedAtFirstAndAgainWhenTheRecordsAreOthers() throws Exception {
    try (Upkeep upkeep =
        Upkeep.of(
            space, o -> o.withoutSweeps().withRefreshEvery(MINUTE).withListener(events::add))) {
      assertThat(next(MINUTE)).isEqualTo(new Refreshed(true, true));
      assertThat(next(MINUTE)).isEqualTo(new Refreshed(false, true));

      save(1, 2_000, Instant.MAX);
      assertThat(next(MINUTE)).isEqualTo(new Refreshed(true, true));
      StatisticsReport report = database.read(space.statistics()::show);
      assertThat(report.part("Person").orElseThrow().rows()).isEqualTo(2_000);
      assertThat(next(MINUTE)).isEqualTo(new Refreshed(false, true));
    }
  }

  /** Renews statistics in turns of a second, of which each piece takes two. */
  private Upkeep slowRefresh() {
    StatisticsOptions slow =
        StatisticsOptions.DEFAULTS.withListener(progress -> time.advance(Duration.ofSeconds(2)));
    return Upkeep.of(
        space,
        o ->
            o.withoutSweeps()
                .withRefreshEvery(Duration.ofMinutes(10))
                .withTimePerTurn(Duration.ofSeconds(1))
                .withStatistics(slow)
                .withListener(events::add));
  }

  @Test
  void collectionThatTakesTooLongIsGoneOnWithSoon() throws Exception {
    save(1, 100, Instant.MAX);
    try (Upkeep upkeep = slowRefresh()) {
      assertThat(next(Duration.ofMinutes(10))).isEqualTo(new Refreshed(true, false));
      assertThat(next(Duration.ofSeconds(4))).isEqualTo(new Refreshed(true, true));
      assertThat(next(Duration.ofMinutes(10))).isEqualTo(new Refreshed(false, true));
    }
  }

  /** Every turn is over after one piece, and the whole takes longer than drafts are kept. */
  @Test
  void collectionOfOneTypeThatTakesManyTurnsComesToItsEnd() throws Exception {
    save(1, 2_000, Instant.MAX);
    try (Upkeep upkeep = slowRefresh()) {
      int turns = 1;
      while (next(Duration.ofMinutes(10)).equals(new Refreshed(true, false))) {
        assertThat(++turns).isLessThan(100);
      }
      assertThat(turns).isGreaterThan(10);
      StatisticsReport report = database.read(space.statistics()::show);
      assertThat(report.part("Person").orElseThrow().rows()).isEqualTo(2_000);
      assertThat(next(Duration.ofMinutes(10))).isEqualTo(new Refreshed(false, true));
    }
  }

  @Test
  void pauseGrowsWithFailuresUpToALimitAndASuccessEndsThat() throws Exception {
    String byExpiry = space.schema().indexes().getFirst().name();
    database.run(tx -> space.indexes().disable(tx, byExpiry));
    try (Upkeep upkeep = sweeping(o -> o.withPauseMax(Duration.ofMinutes(3)))) {
      assertThat(failure(MINUTE).pause()).isEqualTo(Duration.ofMinutes(2));
      Failed second = failure(Duration.ofMinutes(2));
      assertThat(second.pause()).isEqualTo(Duration.ofMinutes(3));
      assertThat(second.work()).isEqualTo(Work.SWEEP);
      assertThat(second.failure()).isInstanceOf(IndexStateException.class);

      try (OnlineIndexer indexer = OnlineIndexer.of(space, o -> o.withIndexes(byExpiry))) {
        indexer.build();
      }
      assertThat(next(Duration.ofMinutes(3))).isEqualTo(new Swept(0, true));
      assertThat(next(MINUTE)).isEqualTo(new Swept(0, true));
    }
  }

  @Test
  void listenerThatThrowsIsToldOfItAndTheWorkGoesOn() throws Exception {
    try (Upkeep upkeep =
        sweeping(
            o ->
                o.withListener(
                    event -> {
                      events.add(event);
                      throw new IllegalStateException("broken");
                    }))) {
      assertThat(next(MINUTE)).isEqualTo(new Swept(0, true));
      assertThat(events.poll(30, TimeUnit.SECONDS)).isInstanceOf(Failed.class);
      assertThat(next(Duration.ofMinutes(2))).isEqualTo(new Swept(0, true));
    }
  }

  @Test
  void errorIsToldLikeAnyOtherFailureAndTheWorkGoesOn() throws Exception {
    try (Upkeep upkeep =
        sweeping(
            o ->
                o.withListener(
                    event -> {
                      events.add(event);
                      throw new AssertionError("broken");
                    }))) {
      assertThat(next(MINUTE)).isEqualTo(new Swept(0, true));
      Failed failed = (Failed) events.poll(30, TimeUnit.SECONDS);
      assertThat(failed.failure()).isInstanceOf(AssertionError.class);
      assertThat(next(Duration.ofMinutes(2))).isEqualTo(new Swept(0, true));
    }
  }

  /** The first commit of the sweep waits until it is interrupted. */
  @Test
  void closeEndsASweepThatIsUnderWay() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    save(1, 25, time.instant());
    FaultyDatabase slow =
        FaultyDatabase.over(
            database,
            commit -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
                throw new AssertionError("nobody counts it down");
              } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
                throw new InterruptedOperationException("Interrupted before a commit", closed);
              } finally {
                ended.countDown();
              }
            });
    Upkeep upkeep =
        Upkeep.of(
            RecordSpace.open(slow, space.schema(), Subspace.of("people")),
            o -> o.withSweepEvery(MINUTE).withListener(events::add));
    time.awaitSleepers(1);
    time.advance(longer(MINUTE));
    begun.await();
    upkeep.close();
    assertThat(ended.getCount()).isZero();
    assertThat(events).isEmpty();
    assertThat(stored()).isEqualTo(25);
  }

  @Test
  void closeInterruptsTheListenerAndWaitsForIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Upkeep upkeep =
        sweeping(
            o ->
                o.withListener(
                    event -> {
                      begun.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } catch (InterruptedException closed) {
                        events.add(event);
                      }
                    }));
    time.awaitSleepers(1);
    time.advance(longer(MINUTE));
    begun.await();
    upkeep.close();
    assertThat(events).containsExactly(new Swept(0, true));
    upkeep.close();
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    UpkeepOptions options = UpkeepOptions.DEFAULTS;
    assertThatThrownBy(() -> options.withSweepEvery(Duration.ofSeconds(-1)))
        .hasMessageContaining("sweepEvery is PT-1S");
    assertThatThrownBy(() -> options.withRefreshEvery(Duration.ZERO))
        .hasMessageContaining("refreshEvery is PT0S");
    assertThatThrownBy(() -> options.withSweptPerTransaction(0))
        .hasMessageContaining("sweptPerTransaction is 0");
    assertThatThrownBy(() -> options.withTimePerTurn(Duration.ZERO))
        .hasMessageContaining("timePerTurn PT0S");
  }

  private Upkeep sweeping(UnaryOperator<UpkeepOptions> change) {
    return Upkeep.of(
        space,
        o -> change.apply(o.withSweepEvery(MINUTE).withoutRefresh().withListener(events::add)));
  }

  /** What happens when the clock has moved on by {@code pause} and as much as pauses vary. */
  private UpkeepEvent next(Duration pause) throws Exception {
    time.awaitSleepers(1);
    time.advance(longer(pause));
    UpkeepEvent event = events.poll(30, TimeUnit.SECONDS);
    assertThat(event).isNotNull();
    return event;
  }

  private Failed failure(Duration pause) throws Exception {
    return (Failed) next(pause);
  }

  private static Duration longer(Duration pause) {
    return pause.multipliedBy(5).dividedBy(4);
  }

  private void save(int from, int to, Instant expires) {
    database.run(tx -> save(tx, people, from, to, expires));
  }

  private static void save(
      Transaction tx, RecordStore<Person> people, int from, int to, Instant expires) {
    for (long id = from; id <= to; id++) {
      people.save(tx, Person.of(id, "Tokyo", 1).withExpires(expires));
    }
  }

  private int stored() {
    return database.read(tx -> tx.scan(Subspace.of("people").sub(1).prefixRange()).list()).size();
  }
}
