package dev.tidemark.records;

import static dev.tidemark.records.BuildFixture.BY_CITY;
import static dev.tidemark.records.BuildFixture.BY_CITY_COVERING;
import static dev.tidemark.records.BuildFixture.BY_TAG;
import static dev.tidemark.records.BuildFixture.COUNT;
import static dev.tidemark.records.BuildFixture.COUNT_BY_CITY;
import static dev.tidemark.records.BuildFixture.EMAIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Builds of indexes beside writers, other builders, and faults. */
@Timeout(120)
class BuildUnderLoadTest {
  private static final int RECORDS = 1_000;
  private static final int WRITERS = 8;

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final BuildFixture fixture = new BuildFixture(database);

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 8)
  void countsAreRightThoughWritersMoveRecordsBetweenGroups(long seed) {
    buildBesideWriters(seed, fixture, COUNT, COUNT_BY_CITY);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 8)
  void entriesAreNeitherMissingNorLeftBehind(long seed) {
    buildBesideWriters(seed, fixture, BY_CITY, BY_CITY_COVERING, BY_TAG, EMAIL);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 8)
  void batchesOfUnknownResultAreCountedOnce(long seed) {
    FaultPlan faults =
        FaultPlan.random(
            seed,
            0.3,
            Fault.CONFLICT,
            Fault.TOO_OLD,
            Fault.UNKNOWN_COMMITTED,
            Fault.UNKNOWN_NOT_COMMITTED,
            Fault.UNKNOWN_ON_ITS_WAY);
    FaultyDatabase faulty = FaultyDatabase.over(database, faults);

    buildBesideWriters(seed, new BuildFixture(faulty), COUNT, COUNT_BY_CITY, BY_CITY);
  }

  private void buildBesideWriters(long seed, BuildFixture builder, String... indexes) {
    fixture.disable(indexes);
    fixture.fill(RECORDS);
    int size = 5 << seed % 5;
    try (Writers writers = Writers.start(fixture, WRITERS, RECORDS, seed);
        OnlineIndexer indexer =
            OnlineIndexer.of(
                builder.space,
                o ->
                    o.withIndexes(indexes)
                        .withRecordsPerTransaction(size)
                        .withRecordsPerSecond(5_000))) {
      writers.awaitFirst();
      assertThat(indexer.build().complete()).isTrue();
    }
    for (String index : indexes) {
      assertThat(fixture.state(index)).isEqualTo(IndexState.READABLE);
    }
    fixture.assertRight(indexes);
  }

  @Test
  void buildersShareTheWork() throws Exception {
    String[] indexes = {COUNT, COUNT_BY_CITY, BY_CITY};
    fixture.disable(indexes);
    fixture.fill(RECORDS);
    List<FutureTask<BuildProgress>> builders =
        Stream.generate(() -> new BuildFixture(database))
            .limit(3)
            .map(
                other ->
                    new FutureTask<>(
                        () -> build(other, o -> o.withRecordsPerTransaction(20), indexes)))
            .toList();
    try (Writers writers = Writers.start(fixture, 2, RECORDS, 1)) {
      writers.awaitFirst();
      builders.forEach(builder -> Thread.ofPlatform().daemon().start(builder));
      for (FutureTask<BuildProgress> builder : builders) {
        assertThat(builder.get().complete()).isTrue();
      }
    }
    fixture.assertRight(indexes);
  }

  private static BuildProgress build(
      BuildFixture fixture, UnaryOperator<BuildOptions> change, String... indexes) {
    try (OnlineIndexer indexer =
        OnlineIndexer.of(fixture.space, o -> change.apply(o.withIndexes(indexes)))) {
      return indexer.build();
    }
  }

  @Test
  void buildThatIsKilledAfterAnyCommitGoesOnFromThere() {
    String[] indexes = {COUNT_BY_CITY, BY_CITY};
    fixture.fill(RECORDS);
    for (int commits = 0; commits <= 20; commits++) {
      fixture.disable(indexes);
      Kill kill = Kill.after(commits);
      FaultyDatabase mortal = FaultyDatabase.over(database, kill);
      BuildFixture killed = new BuildFixture(mortal);
      kill.arm(mortal.commits());
      try {
        build(killed, o -> o.withRecordsPerTransaction(50).withWorkers(1), indexes);
      } catch (Kill.Killed expected) {
        assertThat(fixture.state(BY_CITY)).isNotEqualTo(IndexState.READABLE);
      }

      BuildProgress resumed = fixture.build(indexes);

      assertThat(resumed.scanned()).as("killed after %d", commits).isIn(0L, (long) RECORDS);
      assertThat(resumed.indexed()).isEqualTo(RECORDS - 50L * Math.max(0, commits - 1));
      fixture.assertRight(indexes);
    }
  }

  @Test
  void countIsBuiltAmongWritersWhoConflictWithEveryBatch() {
    fixture.disable(COUNT);
    fixture.fill(RECORDS);
    try (Writers writers = Writers.start(fixture, 4, RECORDS, 3)) {
      writers.awaitFirst();
      BuildProgress done = build(fixture, o -> o.withWorkers(1), COUNT);
      assertThat(done.complete()).isTrue();
    }
    fixture.assertRight(COUNT);
  }
}
