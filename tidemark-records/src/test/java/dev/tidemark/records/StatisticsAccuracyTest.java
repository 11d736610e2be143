package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.query.plan.CollectedStatistics;
import dev.tidemark.records.internal.query.plan.IndexStatistics;
import dev.tidemark.records.internal.query.plan.Interval;
import dev.tidemark.records.internal.statistics.StatisticsRun;
import dev.tidemark.records.maintenance.StatisticsOptions;
import dev.tidemark.records.maintenance.StatisticsProgress;
import dev.tidemark.records.maintenance.StatisticsReport;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.junit.SeedSource;
import dev.tidemark.testkit.model.ModelDatabase;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Estimates against distributions that are known. */
class StatisticsAccuracyTest {
  private static final int COUNT = 20_000;
  private static final double SAMPLE = 0.2;
  private static final int PER_TRANSACTION = 1_000;

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RecordSpace space = open(database);
  private final RecordStore<Person> people = space.store(Person.TYPE);

  private static RecordSpace open(Database database) {
    return RecordSpace.open(
        database,
        Schema.of(
            1,
            List.of(Person.TYPE),
            List.of(
                Person.index("city", IndexKind.VALUE, "city"),
                Person.index("city_age", IndexKind.VALUE, "city", "age"),
                People.descending("age_desc", IndexKind.VALUE, "age"),
                Person.index("email", IndexKind.VALUE, "email").asUnique(false))),
        Subspace.of("people"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** The example of the planner: Tokyo has 10 %, those of it between 25 and 35 are 1 %. */
  @Test
  void tokyoHasATenthOfAllAndAHundredthWithAnAge() {
    fill(10_000, i -> Person.of(i, i % 10 == 0 ? "Tokyo" : "city-" + i % 10, (int) (i / 10 % 110)));
    space.statistics().collect();

    assertThat(index("city").equal(key("Tokyo"))).isCloseTo(0.1, within(0.001));
    assertThat(index("city_age").within(key("Tokyo"), between(25, 35)))
        .isCloseTo(0.01, within(0.002));
    assertThat(index("city").distinct(1)).isCloseTo(10, within(0.001));
    assertThat(index("city_age").entries()).isCloseTo(10_000, within(0.001));
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void sampleOfEvenValuesTellsNumbersRangesAndDistinctValues(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    fill(
        COUNT,
        i -> Person.of(i, String.format("c%03d", random.nextInt(400)), random.nextInt(1_000)));
    collectSample();

    IndexStatistics city = index("city");
    assertThat(city.entries()).isCloseTo(COUNT, relative(COUNT, 0.001));
    assertThat(city.distinct(1)).isCloseTo(400, relative(400, 0.3));
    assertThat(city.equal(key("c123"))).isCloseTo(1 / 400.0, within(0.002));
    assertThat(city.within(key(), between("c100", "c199"))).isCloseTo(0.25, within(0.03));
    IndexStatistics age = index("age_desc");
    assertThat(age.within(key(), between(0, 499))).isCloseTo(0.5, within(0.03));
    assertThat(age.within(key(), new Interval(900L, false, null, false)))
        .isCloseTo(0.1, within(0.02));
    assertThat(index("email").distinct(1)).isCloseTo(COUNT, relative(COUNT, 0.02));
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void sampleOfSkewedValuesKnowsTheCommonOnes(long seed) {
    Skewed skewed = new Skewed(seed);
    fill(people, 0, COUNT, skewed::person);
    space.statistics().collect(o -> o.withSampleRate(SAMPLE));
    skewed.assertKnown(space);
  }

  /** How large rows are taken to be depends on where they are, so sizes tell little. */
  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void commonValuesAreKnownIfSomeRowsAreInFilesAndSomeInMemory(long seed, @TempDir Path directory) {
    Skewed skewed = new Skewed(seed);
    try (EmbeddedDatabase files = EmbeddedDatabase.open(directory)) {
      fill(open(files).store(Person.TYPE), 0, COUNT / 2, skewed::person);
    }
    try (EmbeddedDatabase files = EmbeddedDatabase.open(directory)) {
      RecordSpace both = open(files);
      fill(both.store(Person.TYPE), COUNT / 2, COUNT, skewed::person);
      both.statistics().collect(o -> o.withSampleRate(SAMPLE));
      skewed.assertKnown(both);
    }
  }

  /** As if it were too large to be counted. */
  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 1)
  void sampleByEstimatedSizesKnowsTheCommonValues(long seed) {
    Skewed skewed = new Skewed(seed);
    try (ModelDatabase exact = ModelDatabase.open()) {
      RecordSpace large = open(exact);
      fill(large.store(Person.TYPE), 0, COUNT, skewed::person);
      estimate(large, progress -> {});
      assertEstimated(large, COUNT);
      skewed.assertKnown(large);
    }
  }

  /** It is ended whenever its listener is called, also while it measures. */
  @Test
  void sampleByEstimatedSizesGoesOnWhereItWasEnded() {
    int count = COUNT / 10;
    try (ModelDatabase exact = ModelDatabase.open()) {
      RecordSpace large = open(exact);
      fill(large.store(Person.TYPE), 0, count, id -> Person.of(id, city((int) id % 50), 30));
      assertThat(estimateInTurns(large)).isBetween(50, 1_000);
      assertEstimated(large, count);
    }
  }

  private static int estimateInTurns(RecordSpace space) {
    for (int turns = 1; turns < 10_000; turns++) {
      try {
        estimate(space, StatisticsAccuracyTest::end);
        return turns;
      } catch (IllegalStateException enough) {
        assertThat(enough).hasMessageStartingWith("enough at");
      }
    }
    throw new AssertionError("It does not come to its end");
  }

  private static void end(StatisticsProgress progress) {
    throw new IllegalStateException("enough at " + progress);
  }

  private static void estimate(RecordSpace space, Consumer<StatisticsProgress> listener) {
    StatisticsOptions options =
        StatisticsOptions.DEFAULTS.withSampleRate(SAMPLE).withListener(listener);
    new StatisticsRun(space.internals(), options, 1).collectAll();
  }

  private static void assertEstimated(RecordSpace space, int count) {
    StatisticsReport report = space.database().read(space.statistics()::show);
    for (StatisticsReport.Part part : report.parts()) {
      assertThat(part.rows()).as(part.name()).isCloseTo(count, relative(count, 0.1));
      assertThat(part.read()).as(part.name()).isLessThan(count / 2);
    }
  }

  /** People in cities of which the n-th is n times smaller than the first. */
  private static final class Skewed {
    private final SplittableRandom random;
    private final double[] sums = zipf(1_000);
    private final int[] counts = new int[sums.length];

    Skewed(long seed) {
      this.random = new SplittableRandom(seed);
    }

    Person person(long id) {
      int place = place(sums, random.nextDouble());
      counts[place]++;
      return Person.of(id, city(place), 30);
    }

    void assertKnown(RecordSpace space) {
      IndexStatistics city = index(space, "city");
      for (int place = 0; place < 4; place++) {
        double actual = counts[place] / (double) COUNT;
        assertThat(city.equal(key(city(place))))
            .as(city(place))
            .isCloseTo(actual, relative(actual, 0.25));
      }
      double rare = city.equal(key(city(900)));
      assertThat(rare).isLessThan(0.005);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void columnsThatDependOnEachOtherAreNotTakenForIndependent(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    fill(
        COUNT,
        i -> {
          int city = random.nextInt(100);
          return Person.of(i, city(city), city * 10 + random.nextInt(2));
        });
    collectSample();

    IndexStatistics both = index("city_age");
    assertThat(both.distinct(2)).isCloseTo(200, relative(200, 0.3));
    assertThat(both.equal(key(city(50), 500L))).isCloseTo(1 / 200.0, within(0.003));
  }

  @Test
  void nullsAreCountedAndNeverInAnInterval() {
    fill(4_000, i -> Person.of(i, i % 4 == 0 ? null : "Oslo", i % 2 == 0 ? null : (int) (i % 50)));
    StatisticsReport report = space.statistics().collect();

    assertThat(index("city").equal(key((Object) null))).isCloseTo(0.25, within(0.001));
    assertThat(index("city").within(key(), Interval.NOT_NULL)).isCloseTo(0.75, within(0.001));
    assertThat(index("age_desc").within(key(), Interval.NOT_NULL)).isCloseTo(0.5, within(0.02));
    StatisticsReport.Part part = report.part("city_age").orElseThrow();
    assertThat(part.prefixes().get(0).nullFraction()).isCloseTo(0.25, within(0.02));
    assertThat(part.prefixes().get(1).nullFraction()).isCloseTo(0.5, within(0.02));
  }

  @Test
  void valueThatWasNeverSeenIsExpectedSeldom() {
    fill(1_000, i -> Person.of(i, "city-" + i % 3, 1));
    space.statistics().collect();

    assertThat(index("city").equal(key("nowhere"))).isPositive().isLessThan(0.001);
    assertThat(index("city").within(key(), between("x", "y"))).isPositive().isLessThan(0.001);
  }

  private void fill(int count, LongFunction<Person> person) {
    fill(people, 0, count, person);
  }

  private static void fill(
      RecordStore<Person> people, int from, int to, LongFunction<Person> person) {
    for (long begin = from; begin < to; begin += PER_TRANSACTION) {
      long first = begin;
      Person[] batch = new Person[(int) Math.min(PER_TRANSACTION, to - begin)];
      Arrays.setAll(batch, i -> person.apply(first + i));
      people
          .space()
          .database()
          .run(tx -> Arrays.stream(batch).forEach(each -> people.save(tx, each)));
    }
  }

  private void collectSample() {
    space.statistics().collect(o -> o.withSampleRate(SAMPLE));
  }

  private IndexStatistics index(String name) {
    return index(space, name);
  }

  private static IndexStatistics index(RecordSpace space, String name) {
    return space
        .database()
        .read(
            tx ->
                CollectedStatistics.of(space.internals(), tx, Person.TYPE)
                    .index(name)
                    .orElseThrow());
  }

  private static List<@Nullable Object> key(@Nullable Object... elements) {
    return Arrays.asList(elements);
  }

  private static Interval between(long from, long to) {
    return new Interval(from, true, to, true);
  }

  private static Interval between(String from, String to) {
    return new Interval(from, true, to, true);
  }

  private static String city(int place) {
    return String.format("city-%04d", place);
  }

  private static Offset<Double> relative(double value, double share) {
    return within(value * share);
  }

  /** The sums of the shares of values of which the n-th is n times rarer than the first. */
  private static double[] zipf(int values) {
    double[] sums = new double[values];
    double sum = 0;
    for (int i = 0; i < values; i++) {
      sum += 1.0 / (i + 1);
      sums[i] = sum;
    }
    double all = sum;
    return Arrays.stream(sums).map(each -> each / all).toArray();
  }

  private static int place(double[] sums, double at) {
    int found = Arrays.binarySearch(sums, at);
    return Math.min(sums.length - 1, found < 0 ? -found - 1 : found);
  }
}
