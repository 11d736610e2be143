package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.statistics.SpaceStatistics;
import dev.tidemark.records.maintenance.StatisticsOptions;
import dev.tidemark.records.maintenance.StatisticsProgress;
import dev.tidemark.records.maintenance.StatisticsReport;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collecting statistics, keeping them and letting them go. */
class StatisticsTest {
  private static final Subspace ROOT = Subspace.of("people");
  private static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(Person.TYPE),
          List.of(
              Person.index("by_city_age", IndexKind.VALUE, "city", "age"),
              Person.index("by_tag", IndexKind.VALUE, "tags"),
              Person.index("count_city", IndexKind.COUNT, "city"),
              Person.index("count", IndexKind.COUNT)));

  @Test
  void allRowsOfASmallStoreAreReadAndReportedAsTheyAre() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database, 1_000);
      StatisticsReport report = space.statistics().collect();

      StatisticsReport.Part records = report.part("Person").orElseThrow();
      assertThat(records.rows()).isEqualTo(1_000);
      assertThat(records.read()).isEqualTo(1_000);
      assertThat(records.averageBytes()).isBetween(40.0, 120.0);
      StatisticsReport.Part index = report.part("by_city_age").orElseThrow();
      assertThat(index.prefixes().get(0).columns()).containsExactly("city");
      assertThat(index.prefixes().get(0).distinct()).isCloseTo(4, within(1e-9));
      assertThat(index.prefixes().get(1).columns()).containsExactly("city", "age");
      assertThat(index.prefixes().get(1).distinct()).isCloseTo(100, within(1e-9));
      StatisticsReport.Common first = index.prefixes().get(0).common().getFirst();
      assertThat(first.fraction()).isCloseTo(0.25, within(1e-9));
      assertThat(first.values().getFirst().toString()).startsWith("city-");
      assertThat(index.histogram().getFirst().min()).containsExactly("city-0", 0);
      assertThat(index.histogram().getLast().max()).containsExactly("city-3", 99);
      assertThat(index.histogram().stream().mapToDouble(StatisticsReport.Bucket::rows).sum())
          .isCloseTo(1_000, within(1e-6));
      assertThat(report.part("by_tag").orElseThrow().rows()).isEqualTo(2_000);
      assertThat(report.part("count_city").orElseThrow().rows()).isEqualTo(4);
      assertThat(report.part("count").orElseThrow().prefixes()).isEmpty();
      assertThat(database.<StatisticsReport, RuntimeException>read(space.statistics()::show))
          .isEqualTo(report);
    }
  }

  @Test
  void emptyStoreHasStatisticsOfNothing() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      StatisticsReport report = filled(database, 0).statistics().collect();

      assertThat(report.part("Person").orElseThrow().rows()).isZero();
      assertThat(report.part("by_city_age").orElseThrow().histogram()).isEmpty();
    }
  }

  @Test
  void statisticsOfAnEmptyStoreDoNotMakeQueriesReadAllOfIt() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database, 0);
      space.statistics().collect();
      Query<Person> query = space.store(Person.TYPE).query().where(PersonFields.CITY.eq("Oslo"));

      assertThat(database.<Explain, RuntimeException>read(query::explain).toString())
          .startsWith("index scan by_city_age");
    }
  }

  @Test
  void recordInPiecesIsOneRecordOfAllItsBytes() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space =
          RecordSpace.open(database, SCHEMA, ROOT, o -> o.withRecordBytesMax(1_000_000));
      Person large = Person.of(1, "x".repeat(200_000), 1);
      RecordSpace plain =
          RecordSpace.open(
              database,
              Schema.of(1, List.of(Person.TYPE), List.of()),
              Subspace.of("plain"),
              o -> o.withRecordBytesMax(1_000_000));
      database.run(tx -> plain.store(Person.TYPE).save(tx, large));
      assertThat(space.statistics().collect().part("Person").orElseThrow().rows()).isZero();

      StatisticsReport.Part records = plain.statistics().collect().part("Person").orElseThrow();
      assertThat(records.rows()).isEqualTo(1);
      assertThat(records.averageBytes()).isGreaterThan(200_000);
    }
  }

  @Test
  void everyProgramSeesNewStatisticsAtOnce() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace one = filled(database, 100);
      RecordSpace other = RecordSpace.open(database, SCHEMA, ROOT);
      assertThat(seenBy(other)).isEmpty();

      one.statistics().collect();
      assertThat(seenBy(other)).contains(100.0);
    }
  }

  private static Optional<Double> seenBy(RecordSpace space) {
    return space
        .database()
        .read(
            tx ->
                SpaceStatistics.of(space.internals(), tx)
                    .type("Person")
                    .map(known -> known.rows()));
  }

  /** A process ends before one of its commits; the next one does the rest and no more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void collectionThatWasKilledIsGoneOnWith(int survived) {
    Kill plan = Kill.after(survived);
    try (Database inner = EmbeddedDatabase.inMemory()) {
      RecordSpace whole = filled(inner, 3_000);
      StatisticsReport expected = whole.statistics().collect();
      clearStatistics(inner);

      FaultyDatabase database = FaultyDatabase.over(inner, plan);
      RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);
      plan.arm(1);
      assertThatThrownBy(() -> space.statistics().collect(o -> o.withRowsPerCheckpoint(500)))
          .isInstanceOf(Kill.Killed.class);

      List<StatisticsProgress> after = new ArrayList<>();
      StatisticsReport resumed =
          whole.statistics().collect(o -> o.withRowsPerCheckpoint(500).withListener(after::add));
      assertThat(numbers(resumed)).isEqualTo(numbers(expected));
      if (survived > 1) {
        StatisticsProgress first = after.getFirst();
        assertThat(first.done() > 0 || first.read() > 500).as("goes on at " + first).isTrue();
      }
      assertThat(leftovers(inner)).isEmpty();
    }
  }

  private static List<?> numbers(StatisticsReport report) {
    return report.parts().stream()
        .map(part -> List.of(part.name(), part.rows(), part.prefixes(), part.histogram()))
        .toList();
  }

  private static void clearStatistics(Database database) {
    database.run(tx -> tx.clear(ROOT.sub(10).prefixRange()));
  }

  /** Progress and drafts, which nobody needs after the end. */
  private static List<KeyValue> leftovers(Database database) {
    List<KeyValue> rows =
        database.read(tx -> new ArrayList<>(tx.scan(ROOT.sub(10).prefixRange()).list()));
    rows.removeIf(
        row -> {
          var key = ROOT.sub(10).unpack(row.key());
          return key.size() > 1 && key.getInt(1) != 4;
        });
    return rows;
  }

  @ParameterizedTest
  @SeedSource(count = 3)
  void faultsOfCommitsDoNotChangeWhatIsFound(long seed) {
    try (Database inner = EmbeddedDatabase.inMemory()) {
      StatisticsReport expected = filled(inner, 2_000).statistics().collect();
      FaultyDatabase database =
          FaultyDatabase.over(
              inner,
              FaultPlan.random(
                  seed,
                  0.3,
                  Fault.CONFLICT,
                  Fault.TOO_OLD,
                  Fault.UNKNOWN_COMMITTED,
                  Fault.UNKNOWN_NOT_COMMITTED));
      RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);

      assertThat(numbers(space.statistics().collect(o -> o.withRowsPerCheckpoint(300))))
          .isEqualTo(numbers(expected));
    }
  }

  @Test
  void statisticsAreStaleWhenTheyAreMissingOldOrOfAnotherSize() {
    ManualTime time = ManualTime.standing();
    try (ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time)) {
      RecordSpace space = filled(database, 1_500);
      assertThat(space.statistics().refreshIfStale()).as("missing").isTrue();
      assertThat(space.statistics().refreshIfStale()).as("fresh").isFalse();

      time.advance(Duration.ofDays(8));
      assertThat(space.statistics().refreshIfStale()).as("old").isTrue();
      assertThat(space.statistics().refreshIfStale()).isFalse();

      fill(space, 1_500, 4_500);
      List<String> collected = new ArrayList<>();
      assertThat(
              space.statistics().refreshIfStale(o -> o.withListener(p -> collected.add(p.name()))))
          .as("grown")
          .isTrue();
      assertThat(collected).contains("Person", "by_city_age").doesNotContain("count");
    }
  }

  @Test
  void statisticsAreStaleWhenValuesHaveChangedAndNotTheirSize() {
    ManualTime time = ManualTime.standing();
    try (ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time)) {
      RecordSpace space = filled(database, 3_000);
      RecordStore<Person> people = space.store(Person.TYPE);
      space.statistics().collect();
      List<Person> all = database.read(tx -> people.scan(tx).toList());
      database.run(tx -> all.forEach(person -> people.save(tx, person)));
      assertThat(space.statistics().refreshIfStale()).as("saved as they were").isFalse();

      database.run(
          tx -> all.forEach(person -> people.save(tx, person.withCity("town-" + person.id() % 4))));
      List<String> collected = new ArrayList<>();
      assertThat(
              space
                  .statistics()
                  .refreshIfStale(
                      o ->
                          o.withStale(1e9, Duration.ofDays(7))
                              .withListener(progress -> collected.add(progress.name()))))
          .as("no share is large enough")
          .isFalse();
      assertThat(
              space.statistics().refreshIfStale(o -> o.withListener(p -> collected.add(p.name()))))
          .isTrue();
      assertThat(collected).contains("by_city_age").doesNotContain("by_tag", "Person");
      assertThat(space.statistics().refreshIfStale()).as("fresh").isFalse();
    }
  }

  @Test
  void indexThatIsErasedTakesItsStatisticsAlong() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database, 100);
      space.statistics().collect();
      database.run(tx -> space.indexes().disable(tx, "by_city_age"));

      StatisticsReport left = database.read(space.statistics()::show);
      assertThat(left.part("by_city_age")).isEmpty();
      assertThat(left.part("by_tag")).isPresent();
    }
  }

  @Test
  void progressIsShownAndWhatTheListenerThrowsEndsTheCollection() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database, 500);
      List<StatisticsProgress> shown = new ArrayList<>();
      space.statistics().collect(o -> o.withListener(shown::add));

      assertThat(shown).extracting(StatisticsProgress::total).containsOnly(5);
      assertThat(shown.getLast().fraction()).isEqualTo(1);
      assertThat(shown).extracting(StatisticsProgress::done).isSorted();
      assertThatThrownBy(
              () ->
                  space
                      .statistics()
                      .collect(
                          o ->
                              o.withListener(
                                  p -> {
                                    throw new IllegalStateException("enough");
                                  })))
          .hasMessage("enough");
    }
  }

  @Test
  void collectionThatGoesOnLooksAgainAtWhatHasGrownMeanwhile() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = filled(database, 1_500);
      assertThatThrownBy(
              () ->
                  space
                      .statistics()
                      .collect(
                          o ->
                              o.withListener(
                                  progress -> {
                                    if (!progress.name().equals("Person")) {
                                      throw new IllegalStateException("enough");
                                    }
                                  })))
          .hasMessage("enough");
      fill(space, 1_500, 4_500);
      StatisticsReport report = space.statistics().collect();
      assertThat(report.parts().getFirst().name()).isEqualTo("Person");
      assertThat(report.parts().getFirst().rows()).isCloseTo(4_500, within(1.0));
    }
  }

  @Test
  void manyLongCommonValuesAreKeptAsFarAsTheyFit() {
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);
      RecordStore<Person> people = space.store(Person.TYPE);
      database.run(
          tx ->
              LongStream.range(0, 400)
                  .forEach(id -> people.save(tx, Person.of(id, "x".repeat(800) + id % 200, 1))));
      StatisticsReport report =
          space.statistics().collect(o -> o.withCommonValues(1_000).withBuckets(1_000));
      assertThat(report.parts()).extracting(part -> part.name()).contains("by_city_age");
    }
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    StatisticsOptions options = StatisticsOptions.DEFAULTS;
    assertThatThrownBy(() -> options.withSampleRate(1.5)).hasMessageContaining("sampleRate is 1.5");
    assertThatThrownBy(() -> options.withSampleRate(0)).hasMessageContaining("sampleRate is 0.0");
    assertThatThrownBy(() -> options.withBuckets(1)).hasMessageContaining("buckets is 1");
    assertThatThrownBy(() -> options.withTimePerTransaction(Duration.ZERO))
        .hasMessageContaining("timePerTransaction PT0S");
  }

  private static RecordSpace filled(Database database, int count) {
    RecordSpace space = RecordSpace.open(database, SCHEMA, ROOT);
    fill(space, 0, count);
    return space;
  }

  private static void fill(RecordSpace space, int from, int to) {
    RecordStore<Person> people = space.store(Person.TYPE);
    for (int begin = from; begin < to; begin += 500) {
      long first = begin;
      long end = Math.min(to, begin + 500);
      space
          .database()
          .run(tx -> LongStream.range(first, end).forEach(id -> people.save(tx, person(id))));
    }
  }

  private static Person person(long id) {
    return Person.of(id, "city-" + id % 4, (int) (id % 100)).withTags("a", "t" + id % 10);
  }
}
