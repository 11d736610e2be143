package dev.tidemark.records;

import static dev.tidemark.records.PersonFields.ADDRESS;
import static dev.tidemark.records.PersonFields.AGE;
import static dev.tidemark.records.PersonFields.CITY;
import static dev.tidemark.records.PersonFields.ID;
import static dev.tidemark.records.PersonFields.SCORE;
import static dev.tidemark.records.PersonFields.TAGS;
import static dev.tidemark.records.PersonFields.ZIP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Aggregate;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.Filter;
import dev.tidemark.records.query.Grouping;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.Results;
import dev.tidemark.records.query.Row;
import dev.tidemark.records.query.Selection;
import dev.tidemark.records.schema.IndexKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can be asked with filters, orders, selections and groups. */
class QueryFormsTest {
  private Database database = EmbeddedDatabase.inMemory();
  private RecordStore<Person> people;

  private record CityAndAge(@Nullable String city, @Nullable Integer age) {}

  @BeforeEach
  void open() {

    people =
        RecordSpace.open(
                database,
                People.schema(
                    Person.TYPE,
                    Person.index("city_age", IndexKind.VALUE, "city", "age"),
                    Person.index("count_city", IndexKind.COUNT, "city"),
                    Person.index("sum_score", IndexKind.SUM, "city", "score")),
                Subspace.of("people"))
            .store(Person.TYPE);
    save(
        Person.of(1, "Tokyo", 30).withTags("vip", "new"),
        Person.of(2, "Tokyo", 25).withTags("new"),
        Person.of(3, "Oslo", 40).withAddress(new Person.Address("Main", "0150")),
        Person.of(4, null, 40),
        Person.of(5, "Lima", null),
        Person.of(6, "Tokyo", 25));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void save(Person... all) {
    database.run(tx -> Stream.of(all).forEach(person -> people.save(tx, person)));
  }

  private List<Long> ids(Query<Person> query) {
    return database.read(tx -> query.list(tx).stream().map(Person::id).sorted().toList());
  }

  private List<Long> ids(Filter<Person> filter) {
    return ids(people.query().where(filter));
  }

  @Test
  void firstResultThatIsNullIsNotTakenForNone() {
    Selection<Person, String> city = people.query().where(ID.eq(4L)).select(CITY, name -> name);
    assertThatThrownBy(() -> database.read(city::first))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is null");
    assertThatThrownBy(() -> database.read(city::one))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is null");
  }

  @Test
  void sumIsComparedWithNumbersThatASumCanBe() {
    Aggregate<Person, Number> sum = Aggregate.sum(AGE);

    assertThatThrownBy(() -> sum.gt(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sum(age)")
        .hasMessageContaining("1.5");
    assertThatThrownBy(() -> sum.gt(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sum(age)")
        .hasMessageContaining("NaN");
    assertThat(sum.gt(2.0)).isEqualTo(sum.gt(2L));
  }

  @Test
  void upToSixFieldsMakeAnObject() {
    Query<Person> first = people.query().where(ID.eq(1L));
    assertThat(all(first.select(ID, CITY, AGE, ID, CITY, Five::new)))
        .containsExactly(new Five(1L, "Tokyo", 30, 1L, "Tokyo"));
    assertThat(all(first.select(ID, CITY, AGE, ID, CITY, AGE, Six::new)))
        .containsExactly(new Six(1L, "Tokyo", 30, 1L, "Tokyo", 30));
  }

  private record Five(
      Long a, @Nullable String b, @Nullable Integer c, Long d, @Nullable String e) {}

  private record Six(
      Long a,
      @Nullable String b,
      @Nullable Integer c,
      Long d,
      @Nullable String e,
      @Nullable Integer f) {}

  @Test
  void filtersFollowThreeValuedLogic() {
    assertThat(ids(CITY.eq("Tokyo"))).containsExactly(1L, 2L, 6L);
    assertThat(ids(CITY.ne("Tokyo"))).containsExactly(3L, 5L);
    assertThat(ids(CITY.eq("Tokyo").not())).containsExactly(3L, 5L);
    assertThat(ids(CITY.eq("Tokyo").not().or(CITY.isNull()))).containsExactly(3L, 4L, 5L);
    assertThat(ids(AGE.between(25, 30).and(CITY.isNotNull()))).containsExactly(1L, 2L, 6L);
    assertThat(ids(CITY.in("Oslo", "Lima"))).containsExactly(3L, 5L);
    assertThat(ids(Filter.any())).isEmpty();
    assertThat(ids(Filter.all())).hasSize(6);
  }

  @Test
  void textsCollectionsAndNestedFieldsAreAskedAbout() {
    assertThat(ids(CITY.startsWith("To"))).containsExactly(1L, 2L, 6L);
    assertThat(ids(CITY.like("%sl_"))).containsExactly(3L);
    assertThat(ids(TAGS.contains("new"))).containsExactly(1L, 2L);
    assertThat(ids(TAGS.contains("new").not())).containsExactly(3L, 4L, 5L, 6L);
    assertThat(ids(ZIP.eq("0150"))).containsExactly(3L);
    assertThat(ids(ZIP.isNull())).containsExactly(1L, 2L, 4L, 5L, 6L);
  }

  @Test
  void badOperandsFailAtOnceWithAdvice() {
    assertThatThrownBy(() -> CITY.in(Arrays.asList("Oslo", null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("isNull");
    assertThatThrownBy(() -> ADDRESS.eq(new Person.Address("a", "b")))
        .hasMessageContaining("ask for one of its fields");
    assertThatThrownBy(() -> TAGS.eq(List.of())).hasMessageContaining("contains or anyMatch");
    assertThatThrownBy(() -> TAGS.asc()).hasMessageContaining("a list");
    assertThatThrownBy(() -> CITY.like("50\\")).hasMessageContaining("write \\\\");
    assertThatThrownBy(() -> CITY.eq("\ud800")).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> people.query().limit(-1)).hasMessageContaining("negative");
  }

  private <T> List<T> all(Results<T> results) {
    return database.read(results::list);
  }

  private Object ask(Function<ReadTransaction, Object> question) {
    return database.read(question::apply);
  }

  @Test
  void resultsAreSortedWithNullsWhereTheyAreWanted() {
    Query<Person> query = people.query();
    assertThat(all(query.orderBy(AGE.desc(), ID).select(ID, id -> id)))
        .containsExactly(3L, 4L, 1L, 2L, 6L, 5L);
    assertThat(all(query.orderBy(CITY.asc().nullsLast(), ID.desc()).select(ID, id -> id)))
        .containsExactly(5L, 3L, 6L, 2L, 1L, 4L);
    assertThat(ask(query.orderBy(ID).offset(2).limit(2)::count)).isEqualTo(2L);
  }

  @Test
  void firstAndOneAnswerWhatTheySay() {
    Query<Person> query = people.query();
    assertThat(ask(query.orderBy(ID.desc()).select(ID, id -> id)::first))
        .isEqualTo(Optional.of(6L));
    assertThat(ask(query.where(ID.eq(4L)).select(ID, id -> id)::one)).isEqualTo(Optional.of(4L));
    assertThat(ask(query.where(ID.eq(44L))::one)).isEqualTo(Optional.empty());
    assertThatThrownBy(() -> ask(query::one))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("several results");
    assertThat(ask(query.where(AGE.gt(39))::exists)).isEqualTo(true);
    assertThat(ask(query.where(AGE.gt(40))::exists)).isEqualTo(false);
  }

  @Test
  void aggregateWantsAllRecordsInAnyOrderAndRefusesALimit() {
    Query<Person> sorted = people.query().orderBy(CITY.desc());
    assertThat(ask(tx -> sorted.min(tx, AGE))).isEqualTo(Optional.of(25));
    assertThat(ask(tx -> sorted.max(tx, AGE))).isEqualTo(Optional.of(40));
    assertThat(ask(tx -> sorted.sum(tx, AGE))).isEqualTo(160L);
    assertThat(ask(tx -> sorted.avg(tx, AGE))).isEqualTo(OptionalDouble.of(32));
    for (Query<Person> some : List.of(people.query().limit(2), people.query().offset(2))) {
      assertRefused("min", tx -> some.min(tx, AGE));
      assertRefused("max", tx -> some.max(tx, AGE));
      assertRefused("sum", tx -> some.sum(tx, AGE));
      assertRefused("avg", tx -> some.avg(tx, AGE));
    }
  }

  private void assertRefused(String aggregate, Function<ReadTransaction, Object> question) {
    assertThatThrownBy(() -> ask(question))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(aggregate)
        .hasMessageContaining("has a limit or an offset");
  }

  @Test
  void selectionsAreRowsOrSmallerRecords() {
    Query<Person> tokyo = people.query().where(CITY.eq("Tokyo")).orderBy(AGE, ID);
    List<Row> rows = all(tokyo.select(ID, AGE, TAGS));
    assertThat(rows.getLast().get(AGE)).isEqualTo(30);
    assertThat(rows.getLast().get(TAGS)).containsExactly("vip", "new");
    assertThatThrownBy(() -> rows.getFirst().get(CITY)).hasMessageContaining("[id, age, tags]");

    assertThat(all(tokyo.select(CITY, AGE, CityAndAge::new).distinct()))
        .containsExactly(new CityAndAge("Tokyo", 25), new CityAndAge("Tokyo", 30));
  }

  @Test
  void distinctRowsComeOnceWithAndWithoutAnOrder() {
    Query<Person> query = people.query();
    assertThat(all(query.select(CITY, city -> "" + city).distinct()))
        .containsExactlyInAnyOrder("Tokyo", "Oslo", "Lima", "null");
    assertThat(all(query.orderBy(AGE.desc()).offset(1).limit(2).select(AGE, age -> age).distinct()))
        .containsExactly(30, 25);
    assertThatThrownBy(() -> query.select(TAGS).distinct()).hasMessageContaining("single values");
  }

  @Test
  void groupsAreCountedSummedAndFiltered() {
    Aggregate<Person, Long> count = Aggregate.count();
    List<Row> rows =
        all(
            people
                .query()
                .groupBy(CITY)
                .select(count, Aggregate.avg(AGE), Aggregate.min(ID))
                .having(count.ge(1L))
                .orderBy(count.desc(), CITY));
    assertThat(rows.stream().map(row -> row.values().toString()).toList())
        .containsExactly(
            "[Tokyo, 3, %s, 1]".formatted(80 / 3.0),
            "[null, 1, 40.0, 4]",
            "[Lima, 1, null, 5]",
            "[Oslo, 1, 40.0, 3]");
    assertThatThrownBy(() -> people.query().limit(1).groupBy(CITY))
        .hasMessageContaining("before orderBy, limit and offset");
  }

  @Test
  void groupsAreAskedAboutWhatTheyHaveAlone() {
    Aggregate<Person, Long> count = Aggregate.count();
    Grouping<Person> cities = people.query().groupBy(CITY).select(Aggregate.min(ID));

    assertThatThrownBy(() -> all(cities.having(count.ge(1L))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("asked about count(*), which is neither");
    assertThatThrownBy(() -> all(cities.orderBy(Aggregate.max(AGE).desc())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sorted by max(age), which is neither");
    assertThatThrownBy(() -> ask(cities.orderBy(AGE)::explain))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sorted by age, which is neither");
  }

  @Test
  void wholeQueriesAreSummedUp() {
    Query<Person> tokyo = people.query().where(CITY.eq("Tokyo"));
    assertThat(ask(tokyo::count)).isEqualTo(3L);
    assertThat(ask(tx -> tokyo.sum(tx, SCORE))).isEqualTo(90L);
    assertThat(ask(tx -> tokyo.avg(tx, AGE))).isEqualTo(OptionalDouble.of(80 / 3.0));
    assertThat(ask(tx -> tokyo.min(tx, AGE))).isEqualTo(Optional.of(25));
    assertThat(ask(tx -> people.query().max(tx, CITY))).isEqualTo(Optional.of("Tokyo"));
    assertThat(ask(tx -> people.query().where(ID.gt(99L)).max(tx, CITY)))
        .isEqualTo(Optional.empty());
  }

  @Test
  void selectionsAndGroupsTellWhereTheyAreReadFrom() {
    Selection<Person, Row> covered = people.query().where(CITY.eq("Tokyo")).select(CITY, AGE);
    Explain selected = database.read(covered::explainRun);
    assertThat(selected.plan().what()).isEqualTo("covering scan");
    assertThat(selected.plan().index()).contains("city_age");
    assertThat(selected.plan().actual()).hasValueSatisfying(a -> assertThat(a.rows()).isEqualTo(3));
    assertThat(database.<Explain, RuntimeException>read(covered.distinct()::explain).plan())
        .isEqualTo(database.<Explain, RuntimeException>read(covered::explain).plan());

    Grouping<Person> counted = people.query().groupBy(CITY).select(Aggregate.count());
    assertThat(database.<Explain, RuntimeException>read(counted::explain).toString())
        .contains("groups from aggregate indexes\n")
        .contains("read from count_city");
    Explain computed = database.read(counted.select(Aggregate.avg(AGE))::explain);
    assertThat(computed.plan().what()).isEqualTo("groups");
    assertThat(computed.plan().sources()).singleElement().matches(n -> n.what().endsWith("scan"));
  }
}
