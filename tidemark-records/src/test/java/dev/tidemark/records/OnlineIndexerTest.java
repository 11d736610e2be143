package dev.tidemark.records;

import static dev.tidemark.records.BuildFixture.BY_CITY;
import static dev.tidemark.records.BuildFixture.BY_CITY_COVERING;
import static dev.tidemark.records.BuildFixture.BY_TAG;
import static dev.tidemark.records.BuildFixture.COUNT;
import static dev.tidemark.records.BuildFixture.COUNT_BY_CITY;
import static dev.tidemark.records.BuildFixture.EMAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.BuildProgress.Certainty;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.Violation;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Builds of indexes that nobody disturbs. */
@Timeout(60)
class OnlineIndexerTest {
  private final Database database = open();
  private final BuildFixture fixture = new BuildFixture(database);

  /** Another store, for those who run these tests on it. */
  Database open() {
    return TestStores.inMemory();
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** Each zero of a text takes two bytes in a key, and took four among what a build has passed. */
  @Test
  void recordsWhosePrimaryKeysAreFullOfZerosAreBuiltIn() {
    TypeSpec spec =
        TypeSpec.of(
            "Zero",
            List.of(
                new FieldSpec(1, "id", FieldType.Scalar.STRING, false),
                new FieldSpec(2, "size", FieldType.Scalar.INT, false)),
            List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    IndexSpec count =
        IndexSpec.of("zero_count", "Zero", IndexKind.COUNT, List.of(ColumnSpec.of(2)));
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      RecordSpace zeros =
          RecordSpace.open(
              database, Schema.of(1, List.of(type), List.of(count)), Subspace.of("zeros"));
      RecordStore<DynamicRecord> store = zeros.store(type);
      database.run(tx -> zeros.indexes().disable(tx, "zero_count"));
      for (int i = 0; i < 20; i++) {
        DynamicRecord record =
            DynamicRecord.of(spec).with("id", "\0".repeat(4_900 + i)).with("size", i % 2);
        database.run(tx -> store.save(tx, record));
        if (i == 10) {
          database.run(tx -> zeros.indexes().makeWriteOnly(tx, "zero_count"));
        }
      }
      try (OnlineIndexer indexer =
          OnlineIndexer.of(zeros, o -> o.withIndexes("zero_count").withRecordsPerTransaction(3))) {
        assertThat(indexer.build().scanned()).isEqualTo(20);
      }
      assertThat(database.<Long, RuntimeException>read(tx -> store.count(tx, "zero_count", 1)))
          .isEqualTo(10);
    }
  }

  @Test
  void oneScanFeedsIndexesOfEveryKind() {
    String[] all = {BY_CITY, BY_CITY_COVERING, BY_TAG, EMAIL, COUNT_BY_CITY};
    fixture.disable(all);
    fixture.fill(2_000);

    BuildProgress done = fixture.build(all);

    fixture.assertRight(all);
    assertThat(done.scanned()).isEqualTo(2_000);
    assertThat(done.indexed()).isEqualTo(2_000);
    for (String index : all) {
      assertThat(fixture.state(index)).isEqualTo(IndexState.READABLE);
    }
  }

  @Test
  void emptyStoreIsBuiltAtOnce() {
    fixture.disable(COUNT, BY_CITY);

    assertThat(fixture.build(COUNT, BY_CITY).complete()).isTrue();

    assertThat(fixture.rows(COUNT)).isEmpty();
    assertThat(fixture.state(COUNT)).isEqualTo(IndexState.READABLE);
  }

  @Test
  void indexesThatAreUnequallyFarEachGetWhatTheyLack() {
    fixture.disable(COUNT_BY_CITY, BY_CITY, COUNT);
    fixture.fill(1_000);
    stopAfter(1, COUNT_BY_CITY);
    stopAfter(3, COUNT);

    fixture.build(COUNT_BY_CITY, BY_CITY, COUNT);

    fixture.assertRight(COUNT_BY_CITY, BY_CITY, COUNT);
  }

  private void stopAfter(int commits, String index) {
    Kill kill = Kill.after(commits);
    FaultyDatabase mortal = FaultyDatabase.over(database, kill);
    BuildFixture killed = new BuildFixture(mortal);
    kill.arm(mortal.commits());
    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            killed.space,
            o -> o.withIndexes(index).withWorkers(1).withRecordsPerTransaction(100))) {
      assertThatThrownBy(indexer::build).isInstanceOf(Kill.Killed.class);
    }
  }

  @Test
  void disabledIndexThatOnceHadEntriesKeepsNoneOfThem() {
    fixture.fill(300);
    fixture.disable(BY_CITY, COUNT_BY_CITY, COUNT);
    database.run(tx -> fixture.people.delete(tx, 7L));
    database.run(tx -> fixture.people.save(tx, BuildFixture.person(8).withCity("elsewhere")));

    fixture.build(BY_CITY, COUNT_BY_CITY, COUNT);

    fixture.assertRight(BY_CITY, COUNT_BY_CITY, COUNT);
  }

  @Test
  void readableIndexIsLeftAloneUnlessItIsToBeBuiltAnew() {
    fixture.fill(100);
    assertThat(fixture.build(COUNT).scanned()).isZero();

    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            fixture.space, o -> o.withIndexes(COUNT).withStart(BuildOptions.Start.ANEW))) {
      assertThat(indexer.build().scanned()).isEqualTo(100);
    }
    fixture.assertRight(COUNT);
  }

  @Test
  void longRecordsAreIndexedThoughTheyLieInPieces() {
    fixture.disable(BY_TAG, COUNT_BY_CITY);
    String[] tags = {"a".repeat(5_000), "b".repeat(5_000), "c".repeat(5_000)};
    database.run(
        tx -> {
          fixture.people.save(tx, BuildFixture.person(1));
          fixture.people.save(
              tx,
              BuildFixture.person(2)
                  .withTags(tags)
                  .withAddress(new Person.Address("long".repeat(60_000), null)));
          fixture.people.save(tx, BuildFixture.person(3));
        });

    fixture.build(BY_TAG, COUNT_BY_CITY);

    assertThat(fixture.rows(BY_TAG)).hasSize(6);
    assertThat(fixture.rows(COUNT_BY_CITY)).hasSize(3);
  }

  @Test
  void lastErrorNamesTheRecordsAmongWhichItWas() {
    try (EmbeddedDatabase inner = EmbeddedDatabase.inMemory()) {
      new BuildFixture(inner).fill(300);
      FaultyDatabase faulty = FaultyDatabase.over(inner, FaultPlan.random(1, 0.5, Fault.CONFLICT));
      BuildFixture struck = new BuildFixture(faulty);
      struck.disable(BY_CITY);
      BuildProgress last;
      try (OnlineIndexer indexer =
          OnlineIndexer.of(
              struck.space, o -> o.withIndexes(BY_CITY).withRecordsPerTransaction(10))) {
        last = indexer.build();
      }
      assertThat(last.aborted()).isPositive();
      assertThat(last.lastError().orElseThrow())
          .startsWith("records from the first to before the end: ");
      struck.assertRight(BY_CITY);
    }
  }

  @Test
  void limitsHoldForEveryTransactionAndProgressNeverGoesBack() {
    int bytes = 20_000;
    List<BuildProgress> shown = new ArrayList<>();
    try (EmbeddedDatabase small =
        EmbeddedDatabase.inMemory(o -> o.withLimits(Limits.DEFAULTS.withTransactionBytes(bytes)))) {
      BuildFixture tight = new BuildFixture(small);
      for (long id = 0; id < 3_000; id += 10) {
        long first = id;
        small.run(
            tx ->
                LongStream.range(first, first + 10)
                    .forEach(each -> tight.people.save(tx, BuildFixture.person(each))));
      }
      tight.disable(BY_CITY);
      try (OnlineIndexer indexer =
          OnlineIndexer.of(
              tight.space,
              o ->
                  o.withIndexes(BY_CITY)
                      .withBytesPerTransaction(bytes - 1_000)
                      .withListener(shown::add))) {
        shown.add(indexer.build());
      }
      tight.assertRight(BY_CITY);
    }

    assertThat(shown.getLast().aborted()).isZero();
    assertThat(shown.getLast().attempts()).isGreaterThan(5);
    for (int i = 1; i < shown.size(); i++) {
      assertThat(shown.get(i).scanned()).isGreaterThanOrEqualTo(shown.get(i - 1).scanned());
      assertThat(shown.get(i).fraction()).isGreaterThanOrEqualTo(shown.get(i - 1).fraction());
    }
    BuildProgress last = shown.getLast();
    assertThat(last.certainty()).isEqualTo(Certainty.EXACT);
    assertThat(last.scanned()).isEqualTo(3_000);
    assertThat(last.total()).isEqualTo(3_000);
    assertThat(last.fraction()).isEqualTo(1);
  }

  @Test
  void recordsASecondAreLimitedForAllWorkersTogether() {
    fixture.fill(400);
    fixture.disable(BY_CITY);
    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            fixture.space,
            o ->
                o.withIndexes(BY_CITY).withRecordsPerTransaction(20).withRecordsPerSecond(1_000))) {
      assertThat(indexer.build().elapsed()).isGreaterThan(Duration.ofMillis(390));
    }
  }

  @Test
  void closedBuildEndsAndAnotherGoesOn() {
    fixture.fill(1_000);
    fixture.disable(COUNT);
    AtomicReference<Runnable> close = new AtomicReference<>(() -> {});
    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            fixture.space,
            o ->
                o.withIndexes(COUNT)
                    .withRecordsPerTransaction(10)
                    .withRecordsPerSecond(1_000)
                    .withListener(progress -> close.get().run()))) {
      close.set(indexer::close);
      assertThatThrownBy(indexer::build)
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining(COUNT);
    }

    assertThat(fixture.state(COUNT)).isEqualTo(IndexState.WRITE_ONLY);
    fixture.build(COUNT);
    fixture.assertRight(COUNT);
  }

  @Test
  void interruptedBuildEndsAndKeepsTheFlag() {
    fixture.fill(1_000);
    fixture.disable(COUNT);
    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            fixture.space,
            o ->
                o.withIndexes(COUNT)
                    .withRecordsPerTransaction(10)
                    .withRecordsPerSecond(1_000)
                    .withListener(progress -> Thread.currentThread().interrupt()))) {
      assertThatThrownBy(indexer::build).isInstanceOf(InterruptedOperationException.class);
    }

    assertThat(Thread.interrupted()).isTrue();
    fixture.build(COUNT);
    fixture.assertRight(COUNT);
  }

  @Test
  void listenerThatThrowsEndsTheBuild() {
    fixture.fill(1_000);
    fixture.disable(COUNT);
    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            fixture.space,
            o ->
                o.withIndexes(COUNT)
                    .withRecordsPerTransaction(10)
                    .withRecordsPerSecond(1_000)
                    .withListener(
                        progress -> {
                          throw new IllegalStateException("enough");
                        }))) {
      assertThatThrownBy(indexer::build).hasMessage("enough");
    }
    assertThat(fixture.state(COUNT)).isEqualTo(IndexState.WRITE_ONLY);
  }

  @Test
  void duplicatesOfBeforeAreListedAndResolvedWithoutARescan() {
    fixture.fill(50);
    fixture.disable(EMAIL);
    for (long id : new long[] {3, 30, 44}) {
      database.run(tx -> fixture.people.save(tx, BuildFixture.person(id).withEmail("same")));
    }
    for (long id : new long[] {5, 6}) {
      database.run(tx -> fixture.people.save(tx, BuildFixture.person(id).withEmail(null)));
    }

    fixture.build(EMAIL);

    assertThat(fixture.state(EMAIL)).isEqualTo(IndexState.READABLE_UNIQUE_PENDING);
    assertThat(violations())
        .containsExactly(
            new Violation(
                EMAIL, Tuple.of("same"), List.of(Tuple.of(3), Tuple.of(30), Tuple.of(44))));
    assertThat(
            database.<List<Violation>, RuntimeException>read(
                tx -> fixture.space.indexes().violations(tx, EMAIL, 0)))
        .isEmpty();
    assertThatThrownBy(() -> save(BuildFixture.person(7).withEmail("same")))
        .isInstanceOf(UniquenessException.class);
    save(BuildFixture.person(3).withEmail("same").withCity("moved"));

    save(BuildFixture.person(3));
    database.run(tx -> fixture.people.delete(tx, 30L));
    assertThat(violations()).isEmpty();
    IndexState state = database.transact(tx -> fixture.space.indexes().makeReadable(tx, EMAIL));

    assertThat(state).isEqualTo(IndexState.READABLE);
    fixture.assertRight(EMAIL);
  }

  @Test
  void indexerWithoutIndexesSaysSo() {
    assertThatThrownBy(() -> OnlineIndexer.of(fixture.space, options -> options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("withIndexes");
  }

  private List<Violation> violations() {
    return database.read(tx -> fixture.space.indexes().violations(tx, EMAIL, 10));
  }

  private void save(Person person) {
    database.run(tx -> fixture.people.save(tx, person));
  }

  @Test
  void buildOfAnotherProgramIsSeenByWhatItStores() {
    fixture.disable(BY_CITY);
    fixture.fill(1_000);
    try (OnlineIndexer other =
        OnlineIndexer.of(fixture.space, options -> options.withIndexes(BY_CITY))) {
      assertThat(other.progress().scanned()).isZero();
      assertThat(other.progress().complete()).isFalse();
      stopAfter(3, BY_CITY);
      BuildProgress seen = other.progress();

      assertThat(seen.scanned()).isPositive().isLessThan(1_000);
      assertThat(seen.certainty()).isEqualTo(BuildProgress.Certainty.EXACT);
      assertThat(seen.total()).isEqualTo(1_000);
      assertThat(seen.fraction()).isEqualTo(seen.scanned() / 1_000.0);
      fixture.disable(COUNT);
      BuildProgress estimated = other.progress();
      assertThat(estimated.certainty()).isNotEqualTo(BuildProgress.Certainty.EXACT);
      assertThat(estimated.fraction()).isBetween(0.0, 1.0);
      fixture.build(BY_CITY);
      assertThat(other.progress().complete()).isTrue();
      assertThat(other.progress().fraction()).isEqualTo(1);
    }
  }

  @Test
  void indexesOfNoTypeOrOfUnknownNameAreRefused() {
    assertThatThrownBy(() -> OnlineIndexer.of(fixture.space, o -> o))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OnlineIndexer.of(fixture.space, o -> o.withIndexes("nobody")))
        .hasMessageContaining("nobody")
        .hasMessageContaining(BY_CITY);
  }
}
