package dev.tidemark.records.internal.query.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.records.internal.query.condition.Alternatives;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Condition.Compare;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.Parameters;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.internal.space.ActivityCounts;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which plan is chosen for which query. */
class PlannerTest {
  private static final TypeSpec USER =
      TypeSpec.of(
          "User",
          List.of(
              new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "city", FieldType.Scalar.STRING, false),
              new FieldSpec(3, "age", FieldType.Scalar.LONG, true),
              new FieldSpec(4, "name", FieldType.Scalar.STRING, true),
              new FieldSpec(5, "key", FieldType.Scalar.UUID, false),
              new FieldSpec(6, "tags", new FieldType.ListOf(FieldType.Scalar.STRING), false)),
          List.of(1));

  private static final IndexSpec CITY = index("city", "city");
  private static final IndexSpec CITY_AGE = index("city_age", "city", "age");
  private static final IndexSpec AGE = index("age", "age");
  private static final IndexSpec KEY = index("key", "key").asUnique(false);
  private static final IndexSpec TAGS = index("tags", "tags[]");

  private static final Condition TOKYO = eq("city", "Tokyo");
  private static final Condition FROM_25 = compare("age", Operator.GE, 25L);
  private static final Condition TO_35 = compare("age", Operator.LE, 35L);

  @Test
  void compoundIndexBeatsTheCityIndexWhichBeatsTheFullScan() {
    Condition query = and(TOKYO, FROM_25, TO_35);
    assertThat(chosen(query, CITY, CITY_AGE))
        .contains("index scan city_age")
        .contains("range: city = 'Tokyo', age >= 25 and age <= 35");
    assertThat(chosen(query, CITY))
        .contains("index scan city ")
        .contains("check on record: age >= 25 and age <= 35");
    assertThat(chosen(query)).contains("full scan");
  }

  @Test
  void statisticsDecideAsTheyDoInTheExample() {
    Condition query = and(TOKYO, FROM_25, TO_35);
    Catalog all = catalog(new Example(), CITY, CITY_AGE);
    RankedPlans planned = plan(all, query, List.of(), Taken.ALL);
    assertThat(index(planned)).contains("city_age");
    assertThat(planned.chosen().estimate().rows()).isBetween(900.0, 1_100.0);
    List<Double> costs =
        planned.candidates().stream().map(candidate -> candidate.estimate().cost()).toList();
    assertThat(costs).isSorted();

    assertThat(index(plan(catalog(new Example(), CITY), query, List.of(), Taken.ALL)))
        .contains("city");
    assertThat(index(plan(catalog(new Example()), query, List.of(), Taken.ALL))).isEmpty();
  }

  @Test
  void explainShowsEstimatesAndRejectedPlansWithTheirCosts() {
    String text = chosen(and(TOKYO, FROM_25, TO_35), CITY, CITY_AGE, TAGS);
    assertThat(text)
        .contains("rows ~")
        .contains("rejected")
        .contains("full scan: costs")
        .contains("index scan city [city = 'Tokyo']: costs")
        .contains("index tags: the query does not ask about the elements in it");
  }

  @Test
  void uniqueIndexServesAPointAndPrimaryKeyBeatsIt() {
    UUID key = new UUID(1, 2);
    assertThat(chosen(and(eq("key", key), TOKYO), CITY, KEY)).contains("index scan key");
    assertThat(chosen(and(eq("id", 7L), TOKYO), CITY, KEY)).contains("primary key scan");
  }

  @Test
  void indexThatIsNotReadableIsNotPlannedAndExplainSaysSo() {
    Map<IndexSpec, IndexState> indexes = new LinkedHashMap<>();
    indexes.put(CITY, IndexState.WRITE_ONLY);
    Catalog catalog = Catalog.of(USER, indexes, TypeStatistics.UNKNOWN);
    assertThat(explain(catalog, TOKYO, List.of()))
        .contains("full scan")
        .contains("index city: it is WRITE_ONLY");
    assertThatThrownBy(() -> plan(catalog, split(TOKYO, List.of(), Optional.of("city"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'city'")
        .hasMessageContaining("WRITE_ONLY");
  }

  @Test
  void uniqueIndexWithPairsLeftIsNotTakenToBeUnique() {
    Map<IndexSpec, IndexState> indexes = new LinkedHashMap<>();
    indexes.put(KEY, IndexState.READABLE_UNIQUE_PENDING);
    Catalog catalog = Catalog.of(USER, indexes, TypeStatistics.UNKNOWN);
    assertThat(catalog.indexes()).singleElement().matches(route -> !route.unique());
  }

  @Test
  void orderComesFromAnIndexForwardsAndBackwardsWithEqualColumnsLeftOut() {
    List<Ordering> byAge = List.of(order("age", false));
    assertThat(chosen(catalog(CITY_AGE), TOKYO, byAge))
        .startsWith("index scan city_age")
        .doesNotContain("sort\n");
    assertThat(chosen(catalog(CITY_AGE), TOKYO, List.of(order("age", true))))
        .startsWith("index scan city_age")
        .contains("backwards");
    assertThat(chosen(catalog(CITY_AGE), TOKYO, List.of(order("city", true), order("age", true))))
        .startsWith("index scan city_age")
        .contains("backwards");
    assertThat(chosen(catalog(CITY), TOKYO, byAge)).startsWith("sort").contains("by age");
  }

  @Test
  void nullsInAnotherPlaceNeedASortUnlessThereAreNone() {
    List<Ordering> nullsLast = List.of(new Ordering(column("age"), false, false));
    assertThat(chosen(catalog(CITY_AGE), TOKYO, nullsLast)).startsWith("sort");
    assertThat(chosen(catalog(CITY_AGE), and(TOKYO, FROM_25), nullsLast))
        .startsWith("index scan city_age");
  }

  @Test
  void limitMakesAnIndexInTheRightOrderMuchBetterThanASort() {
    Catalog small = catalog(new Known(1_000, Map.of("age", 100.0, "primary", 1_000.0)), AGE);
    RankedPlans planned =
        plan(small, new Condition.Always(true), List.of(order("age", false)), Taken.of(10, 0));
    assertThat(index(planned)).contains("age");
    assertThat(planned.candidates().getLast().plan()).isInstanceOf(Plan.Sorted.class);
    assertThat(planned.chosen().estimate().cost() * 10)
        .isLessThan(planned.candidates().getLast().estimate().cost());
  }

  @Test
  void sortThatWouldMeetItsLimitIsTheLastResort() {
    Catalog large = catalog(new Known(1e6, Map.of("age", 100.0, "primary", 1e6)), AGE);
    RankedPlans planned =
        plan(large, new Condition.Always(true), List.of(order("age", false)), Taken.ALL);
    assertThat(planned.chosen().plan()).isInstanceOf(Plan.Read.class);
    assertThat(planned.candidates().getLast().plan()).isInstanceOf(Plan.Sorted.class);
  }

  @Test
  void inOfALeadingColumnIsMergedForTheOrderOfTheNext() {
    Condition cities = new Condition.In(column("city"), value(List.of("Kyoto", "Tokyo")));
    Parameters.Split split = split(cities, List.of(order("age", false)), Optional.empty());
    Plan plan =
        Planner.plan(catalog(CITY_AGE), split.shape(), split.bindings(), Taken.of(20, 0))
            .chosen()
            .plan();
    assertThat(plan).isInstanceOf(Plan.Read.class);
    assertThat(((Plan.Read) plan).mergedBy()).isEqualTo(List.of(order("age", false)));
  }

  @Test
  void alternativesOnDifferentColumnsBecomeAUnion() {
    Condition query = or(TOKYO, compare("age", Operator.EQ, 30L));
    assertThat(chosen(query, CITY, AGE))
        .startsWith("union")
        .contains("index scan city ")
        .contains("index scan age ");
    assertThat(chosen(and(or(TOKYO, eq("age", 30L)), eq("name", "Ada")), CITY, AGE))
        .startsWith("union")
        .contains("check on record: name = 'Ada'");
  }

  @Test
  void equalitiesOfOneColumnJoinedByOrAreOneIndexScan() {
    assertThat(chosen(or(TOKYO, eq("city", "Kyoto")), CITY))
        .startsWith("index scan city")
        .contains("city in ('Kyoto', 'Tokyo')");
  }

  @Test
  void selectiveEqualitiesAreIntersected() {
    Catalog catalog =
        catalog(
            new Known(1_000_000, Map.of("city", 20.0, "age", 30.0, "primary", 1_000_000.0)),
            CITY,
            AGE);
    Plan plan = plan(catalog, and(TOKYO, eq("age", 30L)), List.of(), Taken.ALL).chosen().plan();
    assertThat(plan).isInstanceOf(Plan.Intersection.class);
  }

  @Test
  void missingLeadingColumnWithFewValuesIsSkipped() {
    Catalog catalog =
        catalog(new Known(1_000_000, Map.of("city_age", 10.0, "primary", 1e6)), CITY_AGE);
    assertThat(explain(catalog, eq("age", 30L), List.of()))
        .startsWith("skip scan city_age")
        .contains("each city, age = 30");
  }

  @Test
  void indexWithAllWantedColumnsNeedsNoRecords() {
    Parameters.Split split =
        Parameters.split(
            "User",
            Normalizer.normalize(TOKYO),
            List.of(),
            Optional.of(List.of(column("age"), column("id"))),
            false,
            Optional.empty());
    Candidate candidate =
        Planner.plan(catalog(CITY, CITY_AGE), split.shape(), split.bindings(), Taken.ALL).chosen();
    assertThat(index(candidate.plan())).contains("city_age");
    assertThat(((Plan.Read) candidate.plan()).covering()).isTrue();
    assertThat(candidate.estimate().loads()).isZero();
  }

  @Test
  void filteredIndexServesOnlyQueriesThatImplyItsFilter() {
    IndexSpec adults = index("adults", "city").withFilter(IndexFilter.parse(USER, "age >= 18"));
    assertThat(chosen(and(TOKYO, FROM_25), adults)).startsWith("index scan adults");
    assertThat(chosen(and(TOKYO, compare("age", Operator.GT, 10L)), adults))
        .startsWith("full scan")
        .contains("index adults: its filter does not follow from the query");
    assertThat(chosen(and(TOKYO, compare("age", Operator.GE, 18L)), adults))
        .startsWith("index scan adults")
        .doesNotContain("check on");
  }

  @Test
  void cachedPlanIsNotUsedWhereTheFilterDoesNotFollowFromTheValues() {
    IndexSpec adults = index("adults", "city").withFilter(IndexFilter.parse(USER, "age >= 18"));
    PlanCache cache = new PlanCache(catalog(adults), new ActivityCounts());
    assertThat(index(cached(cache, and(TOKYO, compare("age", Operator.GE, 20L))))).isPresent();
    assertThat(index(cached(cache, and(TOKYO, compare("age", Operator.GE, 17L))))).isEmpty();
    assertThat(index(cached(cache, and(TOKYO, compare("age", Operator.GE, 99L))))).isPresent();
    assertThat(cache.size()).isEqualTo(2);
  }

  @Test
  void queriesThatDifferInValuesShareAPlanAndKeepTheirOwnValues() {
    PlanCache cache = new PlanCache(catalog(KEY), new ActivityCounts());
    Parameters.Split one = split(eq("key", new UUID(1, 1)), List.of(), Optional.empty());
    Parameters.Split other = split(eq("key", new UUID(2, 2)), List.of(), Optional.empty());
    assertThat(one.shape()).isEqualTo(other.shape());
    Plan first = cache.plan(one.shape(), one.bindings(), Taken.ALL).chosen().plan();
    Plan second = cache.plan(other.shape(), other.bindings(), Taken.ALL).chosen().plan();
    assertThat(second).isSameAs(first);
    assertThat(cache.size()).isEqualTo(1);
    assertThat(one.bindings().element(new Operand.Slot(0))).isEqualTo(new UUID(1, 1));
    assertThat(other.bindings().element(new Operand.Slot(0))).isEqualTo(new UUID(2, 2));
  }

  @Test
  void cacheForgetsTheShapeThatWasAskedForTheLongestTimeAgo() {
    PlanCache cache = new PlanCache(catalog(CITY), new ActivityCounts());
    for (int i = 0; i < PlanCache.SHAPES_MAX + 10; i++) {
      List<Condition> parts = new ArrayList<>(List.of(TOKYO));
      for (int bit = 0; bit < 10; bit++) {
        ColumnSpec column = (i >> bit & 1) == 0 ? column("name") : column("age");
        parts.add(new Condition.Not(new Condition.In(column, value(List.of(1L + bit, 77L)))));
      }
      cached(cache, new Condition.And(parts));
    }
    assertThat(cache.size()).isEqualTo(PlanCache.SHAPES_MAX);
  }

  @Test
  @Timeout(20)
  void conditionWithMillionsOfAlternativesIsPlannedByWhatItsPartsAllow() {
    List<Condition> parts = new ArrayList<>(List.of(TOKYO));
    for (long i = 0; i < 20; i++) {
      parts.add(or(compare("age", Operator.GT, i), compare("name", Operator.LT, "n" + i)));
    }
    assertThat(chosen(and(parts.toArray(Condition[]::new)), CITY, AGE))
        .startsWith("index scan city")
        .contains("check on record");
    assertThat(Alternatives.of(and(parts.toArray(Condition[]::new)), Candidates.BRANCHES_MAX))
        .isEmpty();
  }

  @Test
  void indexThatTheQueryInsistsOnIsUsedEvenIfItIsWorse() {
    Parameters.Split split = split(TOKYO, List.of(), Optional.of("age"));
    RankedPlans planned = plan(catalog(CITY, AGE), split);
    assertThat(planned.candidates())
        .allSatisfy(candidate -> assertThat(index(candidate.plan())).contains("age"));
    assertThatThrownBy(() -> plan(catalog(TAGS), split(TOKYO, List.of(), Optional.of("tags"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'tags'");
  }

  @Test
  void elementsOfAListAreFoundByAnIndexAndAskedAgain() {
    Condition tagged =
        new Condition.AnyMatch(
            column("tags[]"), new Compare(Condition.ELEMENT, Operator.EQ, value("vip")));
    assertThat(chosen(tagged, TAGS, CITY))
        .startsWith("index scan tags")
        .contains("tags[] = 'vip'")
        .contains("check on record: any of tags[] has (it = 'vip')");
  }

  @Test
  void fingerprintIsTheSameInEveryVersion() {
    Parameters.Split split = split(and(TOKYO, FROM_25), List.of(), Optional.empty());
    assertThat(plan(catalog(CITY_AGE), split).chosen().fingerprint())
        .isEqualTo(FINGERPRINT_OF_CITY_AND_AGE);
  }

  private static final long FINGERPRINT_OF_CITY_AND_AGE = 8_089_673_029_783_336_462L;

  // ---- statistics

  /** Statistics with numbers of different values; all values are equally frequent. */
  private record Known(double rows, Map<String, Double> distinct) implements TypeStatistics {
    @Override
    public double recordBytes() {
      return 200;
    }

    @Override
    public Optional<IndexStatistics> primaryKey() {
      return index("primary");
    }

    @Override
    public Optional<IndexStatistics> index(String index) {
      Double values = distinct.get(index);
      return values == null ? Optional.empty() : Optional.of(new Even(rows, values));
    }
  }

  private record Even(double entries, double values) implements IndexStatistics {
    @Override
    public double entryBytes() {
      return 30;
    }

    @Override
    public double distinct(int columns) {
      return Math.min(entries, Math.pow(values, columns));
    }

    @Override
    public double equal(List<@Nullable Object> prefix) {
      return 1 / distinct(prefix.size());
    }

    @Override
    public double within(List<@Nullable Object> prefix, Interval interval) {
      return equal(prefix) * Guess.column(interval);
    }
  }

  /** 100,000 people, of whom every tenth lives in Tokyo, and of those every tenth is 25 to 35. */
  private record Example() implements TypeStatistics {
    @Override
    public double rows() {
      return 100_000;
    }

    @Override
    public double recordBytes() {
      return 200;
    }

    @Override
    public Optional<IndexStatistics> primaryKey() {
      return Optional.empty();
    }

    @Override
    public Optional<IndexStatistics> index(String index) {
      return Optional.of(
          new IndexStatistics() {
            @Override
            public double entries() {
              return rows();
            }

            @Override
            public double entryBytes() {
              return 30;
            }

            @Override
            public double distinct(int columns) {
              return columns == 1 ? 10 : 700;
            }

            @Override
            public double equal(List<@Nullable Object> prefix) {
              return prefix.isEmpty() ? 1 : prefix.size() == 1 ? 0.1 : 0.001;
            }

            @Override
            public double within(List<@Nullable Object> prefix, Interval interval) {
              return equal(prefix) * 0.1;
            }
          });
    }
  }

  // ---- queries

  private static IndexSpec index(String name, String... columns) {
    return IndexSpec.of(
        name,
        "User",
        IndexKind.VALUE,
        List.of(columns).stream().map(column -> ColumnSpec.parse(USER, column)).toList());
  }

  private static Catalog catalog(IndexSpec... indexes) {
    return catalog(TypeStatistics.UNKNOWN, indexes);
  }

  private static Catalog catalog(TypeStatistics statistics, IndexSpec... indexes) {
    Map<IndexSpec, IndexState> states = new LinkedHashMap<>();
    IntStream.range(0, indexes.length).forEach(i -> states.put(indexes[i], IndexState.READABLE));
    return Catalog.of(USER, states, statistics);
  }

  private static ColumnSpec column(String name) {
    return ColumnSpec.parse(USER, name);
  }

  private static Operand value(Object element) {
    return new Operand.Value(element);
  }

  private static Condition eq(String column, Object value) {
    return compare(column, Operator.EQ, value);
  }

  private static Condition compare(String column, Operator operator, Object value) {
    return new Compare(column(column), operator, value(value));
  }

  private static Condition and(Condition... parts) {
    return new Condition.And(List.of(parts));
  }

  private static Condition or(Condition... parts) {
    return new Condition.Or(List.of(parts));
  }

  private static Ordering order(String column, boolean descending) {
    return new Ordering(column(column), descending, !descending);
  }

  private static Parameters.Split split(
      Condition condition, List<Ordering> order, Optional<String> index) {
    return Parameters.split(
        "User", Normalizer.normalize(condition), order, Optional.empty(), false, index);
  }

  private static RankedPlans plan(
      Catalog catalog, Condition condition, List<Ordering> order, Taken taken) {
    Parameters.Split split = split(condition, order, Optional.empty());
    return Planner.plan(catalog, split.shape(), split.bindings(), taken);
  }

  private static RankedPlans plan(Catalog catalog, Parameters.Split split) {
    return Planner.plan(catalog, split.shape(), split.bindings(), Taken.ALL);
  }

  private static Plan cached(PlanCache cache, Condition condition) {
    Parameters.Split split = split(condition, List.of(), Optional.empty());
    return cache.plan(split.shape(), split.bindings(), Taken.ALL).chosen().plan();
  }

  private static Optional<String> index(RankedPlans planned) {
    return index(planned.chosen().plan());
  }

  private static Optional<String> index(Plan plan) {
    return switch (plan) {
      case Plan.Read read -> read.access().index();
      case Plan.Sorted sorted -> index(sorted.source());
      case Plan.Nothing nothing -> Optional.empty();
      case Plan.Union union -> Optional.empty();
      case Plan.Intersection intersection -> Optional.empty();
    };
  }

  private static String chosen(Condition condition, IndexSpec... indexes) {
    return chosen(catalog(indexes), condition, List.of());
  }

  private static String chosen(Catalog catalog, Condition condition, List<Ordering> order) {
    return explain(catalog, condition, order);
  }

  private static String explain(Catalog catalog, Condition condition, List<Ordering> order) {
    Parameters.Split split = split(condition, order, Optional.empty());
    RankedPlans planned = plan(catalog, split);
    return Explainer.explain(
            catalog,
            planned,
            planned.chosen(),
            split.bindings(),
            Taken.ALL,
            node -> Optional.empty())
        .toString();
  }
}
